/** The prompts of MCP servers that the user calls as commands. */
export interface ServerPrompts {
  /** Whether a server offers values for arguments of its prompt of this name, as far as it is known. Starts none. */
  has(command: string): boolean
  /**
   * Lists what the server offers for the argument that the cursor is in. `words` are those of the arguments before it. Starts the server before
   * if need be. Throws `tool`, `input`, `aborted`.
   */
  values(
    argument: { readonly command: string; readonly words: readonly string[]; readonly typed: string },
    signal: AbortSignal,
  ): Promise<readonly string[]>
}
