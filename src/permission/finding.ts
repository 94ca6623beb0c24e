import type { Rule } from './rules/rule.ts'

/** The facts about a call, before the mode decides. */
export interface Finding {
  /** The first deny rule and the first ask rule that match. */
  readonly denied?: Rule
  readonly asked?: Rule
  /** The reason to ask even in `bypass` mode. */
  readonly danger?: string
  /** The reason to ask even if a rule allows the call. Ignored by `bypass`, and by `auto` in a sandbox unless `exposed` is set. */
  readonly caution?: string
  /** A protected path that the call writes to and no sandbox protects. */
  readonly exposed?: string
  /** The call should change nothing. */
  readonly readOnly: boolean
  /** The call runs a program that the repository provides or configures, although it should only read. */
  readonly runsProgram?: boolean
  /** The real paths that the call names, in its order. */
  readonly paths?: readonly string[]
  /** The rule that allows the call, or the reason why it needs none. */
  readonly allowed?: Rule | { readonly by: 'builtin' | 'mode'; readonly reason: string }
  /** Shown to the user if nothing allows the call. */
  readonly reason: string
}

/** The danger that a line runs what it downloads. */
export const downloadsCode = 'downloads and runs code'

/** The rules in force, by behavior. */
export interface Rules {
  readonly deny: readonly Rule[]
  readonly ask: readonly Rule[]
  readonly allow: readonly Rule[]
}
