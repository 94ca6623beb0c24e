import type { Shadow } from './shadow.ts'

/** Waits for work that is done side by side. Where some of it fails, the rest is ended before that is thrown. */
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
