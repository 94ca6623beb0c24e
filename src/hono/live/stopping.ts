import { linkAbort } from '../../agent/linked-abort.ts'
import { isPipeError } from '../../error.ts'

/** Makes events that end when the signal fires, and at once when their reader returns them while they wait for more. */
export function stopping<T>(
  signal: AbortSignal,
  begin: (signal: AbortSignal) => AsyncGenerator<T, undefined, undefined>,
): AsyncIterableIterator<T, undefined> {
  const { controller, unlink } = linkAbort(signal)
  const events = begin(controller.signal)
  return {
    next: async () => {
      try {
        const step = await events.next()
        if (step.done === true) unlink()
        return step
      } catch (error) {
        unlink()
        // The wait for the next event was ended.
        if (!controller.signal.aborted || !isPipeError(error)) throw error
        return { done: true, value: undefined }
      }
    },
    return: async () => {
      controller.abort()
      unlink()
      return events.return(undefined)
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
