import type { Field } from '../bash/fields.ts'

/** Everything that a line may run, including what its commands run in turn. */
export interface Execution {
  readonly commands: readonly (readonly Field[])[]
  /** Lists of words, in order. A command may begin at each word. */
  readonly mentioned: readonly (readonly string[])[]
  /** Redirects that open a file, once for each possible target, and files that a shell reads by itself. */
  readonly redirects: readonly { readonly operator: string; readonly target: Field }[]
  /** Code of other languages, from words and from input. */
  readonly code: readonly string[]
  /** Folders that commands may change to, as written; `undefined` for an unknown one. */
  readonly folders: readonly (string | undefined)[]
  /** Why it is not known what all runs. */
  readonly opaque: string | undefined
}
