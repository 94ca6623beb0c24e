/**
 * Sets whether writes to a terminal wait for it, or return and leave the rest for later. Node makes them wait, which holds up the whole
 * program while the terminal is slow. Does nothing where Node does not allow it.
 */
export function setBlockingWrites(stream: NodeJS.WriteStream, isBlocking: boolean): void {
  const handle: unknown = Reflect.get(stream, '_handle')
  if (typeof handle !== 'object' || handle === null || !('setBlocking' in handle)) return
  const { setBlocking } = handle
  if (typeof setBlocking === 'function') Reflect.apply(setBlocking, handle, [isBlocking])
}
