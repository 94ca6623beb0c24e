/** The texts of files that are open in an editor. Both methods throw if the editor gives no answer. */
export interface OpenBuffers {
  /** Returns the text of a file as the editor has it, saved or not; `undefined` if it tells none. */
  read?(path: string, signal: AbortSignal): Promise<string | undefined>
  /** Replaces the text of a file in the editor, which saves it. */
  write?(path: string, text: string, signal: AbortSignal): Promise<void>
}
