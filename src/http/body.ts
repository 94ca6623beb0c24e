/** The first `limit` bytes of a body as text; the rest is left. */
export async function readText(body: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
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
 * A body with its first visible character known before it is read, empty where there is none: `<` tells a web page and `{` JSON
 * from server-sent events, whatever the headers say. Read the body that comes back, not the one given.
 */
export async function peek(
  body: AsyncIterable<Uint8Array>,
): Promise<{ readonly first: string; readonly body: AsyncIterable<Uint8Array> }> {
  const chunks = body[Symbol.asyncIterator]()
  const held: Uint8Array[] = []
  let first = ''
  while (first === '') {
    const step = await chunks.next()
    if (step.done === true) break
    held.push(step.value)
    first = visible(step.value)
  }
  return { first, body: resume(held, chunks) }
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

function visible(chunk: Uint8Array): string {
  const byte = chunk.find((byte) => byte > 0x20 && !byteOrderMark.includes(byte))
  return byte === undefined ? '' : String.fromCharCode(byte)
}
