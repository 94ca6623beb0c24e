import { counted } from './amount.ts'

/** Says how many sessions a list left out; `undefined` if none. */
export function skippedNote(unread: number): string | undefined {
  if (unread === 0) return undefined
  return `skipped ${counted(unread, 'session')} that cannot be read; pipe sessions says why`
}
