import { isPipeError } from '../error.ts'
import { type Outputs, printWarning } from '../terminal/output.ts'
import { printable } from '../terminal/printable.ts'

/** Writes a note to the user, on its own lines. */
export function writeNote(text: string, { stderr }: Pick<Outputs, 'stderr'>): void {
  stderr.write(`${printable(text)}\n`)
}

/** Reports a `PipeError` to the user and returns `undefined`, so that the conversation continues. */
export async function attempt<T>(
  act: () => Promise<T>,
  outputs: Pick<Outputs, 'stderr'>,
): Promise<T | undefined> {
  try {
    return await act()
  } catch (error) {
    if (!isPipeError(error)) throw error
    printWarning(outputs, error.message)
    return undefined
  }
}
