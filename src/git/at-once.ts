import type { Allowance } from './shadow.ts'

/** Waits for work that is done side by side. Where some of it fails, the rest is ended before that is thrown. */
export async function atOnce<const T extends readonly Promise<unknown>[]>(
  allowance: Allowance,
  start: (allowance: Allowance) => T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const own = new AbortController()
  const running = start({ ...allowance, signal: AbortSignal.any([allowance.signal, own.signal]) })
  try {
    return await Promise.all(running)
  } catch (error) {
    own.abort()
    await Promise.allSettled(running)
    throw error
  }
}
