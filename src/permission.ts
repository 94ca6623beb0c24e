import type { Actor } from './actor.ts'
import type { InteractionResponse } from './interaction.ts'
import type { JsonValue } from './json-value.ts'
import type { Tool } from './tool.ts'

/** Reason for denying a call that needs approval when there is no user to ask. */
export const nobodyToAsk = 'nobody can be asked for permission here'

/** Options of the question for approval that allow one call, and that also allow later ones. */
export const allowOnce = 'allow'
export const grants = { session: 'allow_session', always: 'allow_always' } as const

/** Permission modes, strictest first. */
export const permissionModes = ['plan', 'default', 'accept-edits', 'auto', 'bypass'] as const

export type PermissionMode = (typeof permissionModes)[number]

/** A decision on one call: its rule, the source of the rule and the reason. */
export interface Decision {
  readonly behavior: 'allow' | 'ask' | 'deny'
  readonly rule?: string
  readonly source: 'builtin' | 'mode' | 'capability' | 'user' | 'project' | 'session'
  readonly reason: string
  /** The call's commands must run inside the sandbox. */
  readonly confined?: boolean
  /** No sign that the call could change anything. */
  readonly changesNothing?: boolean
  /** The real path of the file that a file tool names, symlinks followed. The decision is about that path. */
  readonly judgedPath?: string
}

/** Final result for a call, from the decision alone or the user's response. */
export interface Verdict {
  readonly granted: boolean
  readonly decision: Decision
  readonly response?: InteractionResponse
}

export interface JudgedCall {
  readonly tool: Pick<Tool, 'name' | 'capability' | 'otherCapability' | 'readOnly'>
  readonly arguments: JsonValue
  readonly actor: Actor
}

/** Judges calls: deny > ask > allow across all sources. A call's decision stays the same until rules or files change. */
export interface PermissionPolicy {
  judge(call: JudgedCall): Promise<Decision>
  /** Allows calls of this tool until the process ends, except those that always need a question. */
  allowForSession(tool: Pick<Tool, 'name'>): void
  /** The narrowest rules that allow this call and similar ones. Empty if no rule can. */
  suggestRules(call: JudgedCall): Promise<readonly string[]>
  /** The reason why no rule is suggested for this call; `undefined` if one is. Absent: no reason is shown. */
  whyNoRule?(call: JudgedCall): Promise<string | undefined>
  /** Adds allow rules, as settings spell them, until the process ends. */
  allowRules(rules: readonly string[]): void
}
