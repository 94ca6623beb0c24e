/** Largest message in bytes. A longer line would fill the memory. */
const largest = 128 * 1024 * 1024

/**
 * Joins bytes to whole lines, without a byte order mark at their beginning. The package would copy a long line once for each piece of it.
 * Throws on a line that is too long.
 */
export async function* wholeLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let pieces: Uint8Array[] = []
  let length = 0
  let isFirst = true
  for await (const chunk of input) {
    const end = chunk.lastIndexOf(10) + 1
    if (end > 0) {
      const lines = Buffer.concat([...pieces, chunk.subarray(0, end)])
      pieces = []
      length = 0
      yield isFirst && lines[0] === 0xef && lines[1] === 0xbb && lines[2] === 0xbf ? lines.subarray(3) : lines
      isFirst = false
    }
    const rest = chunk.subarray(end)
    length += rest.length
    if (length > largest) throw new Error(`a message is larger than ${largest} bytes`)
    if (rest.length > 0) pieces.push(rest)
  }
}
