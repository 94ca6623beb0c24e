import type { Actor } from './actor.ts'
import { PipeError } from './error.ts'
import type { Danger, InteractionResponse } from './interaction.ts'
import type { JsonValue } from './json-value.ts'
import type { Tool, ToolFacts } from './tool.ts'

/** Reason for denying a call that needs approval when there is no user to ask. */
export const nobodyToAsk = 'nobody can be asked for permission here'

/**
 * Options of the question for approval that allow one call, and that also allow later ones: until the process ends, calls that the
 * suggested rules cover; the same in later runs; until the process ends, every call of the kind.
 */
export const allowOnce = 'allow'
export const grants = { session: 'allow_session', always: 'allow_always', all: 'allow_all' } as const

/** Permission modes, strictest first. */
export const permissionModes = ['plan', 'default', 'accept-edits', 'auto', 'bypass'] as const

export type PermissionMode = (typeof permissionModes)[number]

/** Throws `usage` for a mode that does not exist, as a caller without types may name one. */
export function requireMode(given: PermissionMode): void {
  if (!permissionModes.includes(given))
    throw new PipeError('usage', `there is no mode ${given}; choose ${permissionModes.join(', ')}`)
}

/** A decision on one call: its rule, the source of the rule and the reason. */
export interface Decision {
  readonly behavior: 'allow' | 'ask' | 'deny'
  readonly rule?: string
  readonly source: 'builtin' | 'mode' | 'capability' | 'user' | 'project' | 'session' | 'hook'
  readonly reason: string
  /** The call's commands must run inside the sandbox. */
  readonly confined?: boolean
  /** No sign that the call could change anything. */
  readonly changesNothing?: boolean
  /** The real paths that the call names, symlinks followed. The decision is about these paths. */
  readonly judgedPaths?: readonly string[]
}

/** Final result for a call, from the decision alone or the user's response. */
export interface Verdict {
  readonly granted: boolean
  readonly decision: Decision
  readonly response?: InteractionResponse
}

/**
 * What a program that the user set up says about a call. `ask` needs a question; `allow` is worth as much as an allow rule, so that no deny
 * rule, ask rule or danger gives way to it.
 */
export interface Advice {
  readonly behavior: 'allow' | 'ask'
  /** Names who says it. */
  readonly by: string
  readonly reason: string
}

export interface JudgedCall {
  readonly tool: ToolFacts & Pick<Tool, 'consent'>
  readonly arguments: JsonValue
  readonly actor: Actor
  /** Default: none. */
  readonly advice?: Advice
}

/** A call in words for people. */
export interface Explanation {
  /** Such as `Run this command?` */
  readonly title: string
  /** The gravest first. */
  readonly dangers: readonly Danger[]
  /** The calls that the suggested rules cover, and all calls of the kind: `npm test …`, `every command`. */
  readonly covered: string
  readonly all: string
  /** The suggested rules with paths relative to the working folder. */
  readonly rules: readonly string[]
}

/** Judges calls: deny > ask > allow across all sources. A call's decision stays the same until rules or files change. */
export interface PermissionPolicy {
  judge(call: JudgedCall): Promise<Decision>
  /** Allows calls of this tool, or all edits, until the process ends, except those that always need a question. */
  allowForSession(tool: Pick<ToolFacts, 'name' | 'kind' | 'paths'>): void
  /** The narrowest rules that allow this call and similar ones. Empty if no rule can. */
  suggestRules(call: JudgedCall): Promise<readonly string[]>
  /** The reason why no rule is suggested for this call; `undefined` if one is. Absent: no reason is shown. */
  whyNoRule?(call: JudgedCall): Promise<string | undefined>
  /** Puts a call, and rules suggested for it, in words. Absent: questions show names of tools and rules as they are. */
  explain?(call: JudgedCall, rules: readonly string[]): Promise<Explanation>
  /** Adds allow rules, as settings spell them, until the process ends. */
  allowRules(rules: readonly string[]): void
}
