import { isSurvivable } from '../error.ts'
import { readChunks } from '../files/reading/chunks.ts'

/** Maximum bytes of a file beside a session. */
const maxBytes = 16 * 1024 * 1024

/** Returns the text of a file that an agent keeps beside its sessions; `undefined` if it cannot be read or is larger than 16 MiB. */
export async function readBeside(path: string, signal: AbortSignal): Promise<string | undefined> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of readChunks(path, { signal })) {
      size += chunk.length
      if (size > maxBytes) return undefined
      parts.push(Buffer.from(chunk))
    }
    return String(Buffer.concat(parts))
  } catch (error) {
    if (!isSurvivable(error)) throw error
    return undefined
  }
}
