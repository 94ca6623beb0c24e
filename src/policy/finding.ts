import type { Rule } from './rule.ts'

/** What is to be said of a call, before the mode has its say. */
export interface Finding {
  /** The first rule that forbids it, and the first that has it asked about. */
  readonly denied?: Rule
  readonly asked?: Rule
  /** Why it is asked about even where everything is allowed. */
  readonly danger?: string
  /** Why it is asked about whatever a rule or a mode allows, short of `bypass`. */
  readonly caution?: string
  /** The protected path that it writes to and that a sandbox does not keep as it is. */
  readonly exposed?: string
  /** It is meant to change nothing. */
  readonly readOnly: boolean
  /** It runs a program that the repository names, whatever else it is meant to do. */
  readonly runsProgram?: boolean
  /** Where the path that it names leads. */
  readonly path?: string
  /** The rule that allows it, or why it needs none. */
  readonly allowed?: Rule | { readonly by: 'builtin' | 'mode'; readonly reason: string }
  /** What a person is told where nothing allows it. */
  readonly reason: string
}

/** The rules in force, by what they say. */
export interface Rules {
  readonly deny: readonly Rule[]
  readonly ask: readonly Rule[]
  readonly allow: readonly Rule[]
}
