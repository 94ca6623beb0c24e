import { isPipeError, type PipeError } from '../../error.ts'

/** Returns false if what was asked for is too late. */
export async function unlessGone(asked: Promise<void>): Promise<boolean> {
  try {
    await asked
    return true
  } catch (error) {
    if (isPipeError(error) && isGone(error)) return false
    throw error
  }
}

/** Another process that holds the session (`pid`) is no reason to forget what was asked for. */
function isGone({ code, details }: PipeError): boolean {
  return code === 'not_found' || (code === 'conflict' && details['pid'] === undefined)
}
