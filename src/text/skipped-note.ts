/** Says how many sessions a list left out; `undefined` if none. */
export function skippedNote(unread: number): string | undefined {
  if (unread === 0) return undefined
  const sessions = unread === 1 ? '1 session that' : `${unread} sessions that`
  return `skipped ${sessions} cannot be read: pipe sessions says why`
}
