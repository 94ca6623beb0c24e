/** Returns what an action throws, now or later. Fails if it throws nothing. */
export async function thrown(action: () => unknown): Promise<unknown> {
  try {
    await action()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
