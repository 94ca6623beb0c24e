import type { Actor } from './actor.ts'
import type { InteractionResponse } from './interaction.ts'
import type { JsonValue } from './json-value.ts'
import type { Tool } from './tool.ts'

/** Reason given when a call that needs a person's approval is denied because nobody is there. */
export const nobodyToAsk = 'nobody can be asked for permission here'

export type PermissionMode = 'default' | 'accept-edits' | 'plan' | 'auto' | 'bypass'

/** The judge's word on one call, with the rule it rests on, where that rule comes from, and why. */
export interface Decision {
  readonly behavior: 'allow' | 'ask' | 'deny'
  readonly rule?: string
  readonly source: 'builtin' | 'mode' | 'capability' | 'user' | 'project' | 'session'
  readonly reason: string
  /** Where it is carried out, its commands run inside the sandbox. */
  readonly confined?: boolean
  /** Nothing was found by which it could change anything. */
  readonly changesNothing?: boolean
  /** Where the path that the call of a file tool names led, every symlink followed: the decision is about that place. */
  readonly judgedPath?: string
}

/** Whether a call may run, by the judge's word alone or by that of the person who was asked. */
export interface Verdict {
  readonly granted: boolean
  readonly decision: Decision
  readonly response?: InteractionResponse
}

export interface JudgedCall {
  readonly tool: Pick<Tool, 'name' | 'capability' | 'readOnly'>
  readonly arguments: JsonValue
  readonly actor: Actor
}

/** The same call gets the same decision until the rules or the files change. deny > ask > allow, from every source. */
export interface PermissionPolicy {
  judge(call: JudgedCall): Promise<Decision>
  /** Allows calls of this tool until the process ends, by a person's word, but for those that must be asked about. */
  allowForSession(tool: Pick<Tool, 'name'>): void
  /** The narrowest rules that allow this call and those like it; none where no rule can. */
  suggestRules(call: JudgedCall): Promise<readonly string[]>
  /** The reason why no rule is suggested for this call; `undefined` if one is. Absent: nobody is told. */
  whyNoRule?(call: JudgedCall): Promise<string | undefined>
  /** Takes these rules, as settings spell them, to what is allowed, until the process ends. */
  allowRules(rules: readonly string[]): void
}
