import type { Shadow } from './shadow.ts'

/** Runs work side by side. If one part fails, aborts the rest and waits for it before throwing. */
export async function atOnce<const T extends readonly Promise<unknown>[]>(
  shadow: Shadow,
  start: (shadow: Shadow) => T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const own = new AbortController()
  const running = start(shadow.endedBy(own.signal))
  try {
    return await Promise.all(running)
  } catch (error) {
    own.abort()
    await Promise.allSettled(running)
    throw error
  }
}
