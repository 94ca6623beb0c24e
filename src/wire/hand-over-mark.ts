/** The first field of the envelope that `pipe -o pipe` prints. It holds the version. */
export const handOverMark = 'pipe_envelope'
export const handOverVersion = 1

/** Whether text begins as an envelope does, also once another program has formatted it. */
export function beginsHandOver(text: string): boolean {
  return new RegExp(`^\\s*\\{\\s*"${handOverMark}"\\s*:`).test(text)
}
