import type { LanguagePool } from '../../../lsp/language-pool.ts'

/** The language servers of a run, which its elves share. */
export interface RunLanguages {
  /** Opens them, of which it starts none. `undefined` if none may run now. Loads nothing before. */
  open(): Promise<LanguagePool | undefined>
  /** Ends the servers of a folder that is about to go, such as a worktree. */
  leave(root: string): Promise<void>
}
