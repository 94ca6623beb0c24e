/** News from the terminal itself: an answer to a query, or that it gained (`ESC [ I`) or lost (`ESC [ O`) the focus. */
export interface TerminalReply {
  readonly type: 'reply'
  /** The whole sequence. */
  readonly text: string
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: replies are control sequences
const reply =
  /\u001b\[(?:[IO]|[?>][\d;]*c|\d+;\d+R)|\u001b\]\d+(?:;[^\u0007\u001b]{0,2000})?(?:\u0007|\u001b\\)/g
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above

/** Takes the replies out of a text, which the terminal sent in the middle of it or behind it. */
export function withoutReplies(input: string): {
  readonly text: string
  readonly replies: readonly TerminalReply[]
} {
  const replies: TerminalReply[] = []
  const take = (text: string) => {
    replies.push({ type: 'reply', text })
    return ''
  }
  return { text: input.replace(reply, take), replies }
}
