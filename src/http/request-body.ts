/** Reads the first `limit` bytes of a body as text and leaves the rest. */
export async function readBodyText(body: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let left = limit
  for await (const chunk of body) {
    text += decoder.decode(chunk.subarray(0, left), { stream: true })
    left -= chunk.length
    if (left <= 0) break
  }
  return text + decoder.decode()
}

/**
 * Returns a body and its first visible part, empty if none: `<` marks a web page and `{` JSON, whatever the headers say. Read
 * the returned body, not the given one; leading blank chunks are gone.
 */
export async function peek(
  body: AsyncIterable<Uint8Array>,
): Promise<{ readonly start: string; readonly body: AsyncIterable<Uint8Array> }> {
  const chunks = body[Symbol.asyncIterator]()
  for (;;) {
    const step = await chunks.next()
    if (step.done === true) return { start: '', body: resume([], chunks) }
    const start = visible(step.value)
    if (start !== '') return { start, body: resume([step.value], chunks) }
  }
}

async function* resume(
  held: readonly Uint8Array[],
  chunks: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* held
    yield* { [Symbol.asyncIterator]: () => chunks }
  } finally {
    await chunks.return?.()
  }
}

const byteOrderMark: readonly number[] = [0xef, 0xbb, 0xbf]
/** Maximum bytes of a body returned as its start. */
const startBytes = 1_024

function visible(chunk: Uint8Array): string {
  const from = chunk.findIndex((byte) => byte > 0x20 && !byteOrderMark.includes(byte))
  return from === -1 ? '' : new TextDecoder().decode(chunk.subarray(from, from + startBytes))
}
