import { PipeError } from '../../../error.ts'
import { fileError } from '../../../files/system-error.ts'

/** Reads stdin as it is asked for. Ends when the signal fires. Throws what the system says. */
export async function* stdinPieces(signal: AbortSignal): AsyncGenerator<Uint8Array, undefined, undefined> {
  if (signal.aborted) return
  const source = process.stdin
  const stop = () => source.destroy()
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const piece of source) {
      if (signal.aborted) return
      yield piece
    }
  } catch (error) {
    if (signal.aborted) return
    throw new PipeError('input', fileError(error, 'stdin', 'read').message, { cause: error })
  } finally {
    signal.removeEventListener('abort', stop)
    source.destroy()
  }
}
