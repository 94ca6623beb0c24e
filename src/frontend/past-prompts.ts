/** A message as the user wrote it. */
export interface PastPrompt {
  /** With a placeholder for each paste. */
  readonly text: string
  readonly pastes: readonly { readonly placeholder: string; readonly text: string }[]
}

/** The messages that the user wrote in a folder, in all conversations. Bounded; without secrets. */
export interface PastPrompts {
  /** Returns them, oldest first. Throws `PipeError` if they cannot be read. */
  load(): Promise<readonly PastPrompt[]>
  /** Adds one. Throws `PipeError` if it cannot be kept. */
  add(prompt: PastPrompt): Promise<void>
  /** Keeps the draft in case this process dies, or with `undefined` none. Throws `PipeError` if it cannot. */
  keepDraft(draft: PastPrompt | undefined): Promise<void>
  /** Takes over the newest draft that a process left when it died. `undefined` if there is none. Throws `PipeError`. */
  takeDraft(): Promise<PastPrompt | undefined>
}
