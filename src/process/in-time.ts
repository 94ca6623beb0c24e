import { runInNewContext } from 'node:vm'

/** Runs work for at most `ms` and returns its result; `undefined` if that was not enough. Ends regular expressions too, which can take years. */
export function inTime<T>(ms: number, work: () => T): { readonly result: T } | undefined {
  let done: { readonly result: T } | undefined
  const step = () => {
    done = { result: work() }
  }
  try {
    runInNewContext('step()', { step }, { timeout: ms })
  } catch (error) {
    if (!isTimeout(error)) throw error
  }
  return done
}

/** The error of `node:vm` is one of another realm. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  )
}
