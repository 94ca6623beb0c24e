export interface PromptCount {
  /** The server's own count of the prompt. */
  readonly prompt: number
  /** Tokens read from the cache and written to it. */
  readonly cached: number
  readonly output: number
  readonly total: number | undefined
}

/**
 * Returns the tokens of the whole prompt. Some gateways leave out cached tokens: then these exceed the prompt, or the total
 * adds them.
 */
export function wholePrompt({ prompt, cached, output, total }: PromptCount): number {
  const isApart = cached > prompt || (cached > 0 && total === prompt + cached + output)
  return isApart ? prompt + cached : prompt
}
