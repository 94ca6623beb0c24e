/**
 * Text from elsewhere (a model, a tool, a file name) made safe to write to a terminal: control characters other than tab and
 * line feed, bidirectional controls and invisible tag characters are taken out, so that no escape sequence can begin.
 */
export function printable(text: string): string {
  return text.replace(/(?![\t\n])\p{Cc}|\p{Bidi_Control}|[\u{e0000}-\u{e007f}]/gu, '')
}
