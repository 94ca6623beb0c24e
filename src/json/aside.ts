import type { Clock } from '../clock.ts'

/** Returns the name ending, after the id, of a file for damaged bytes of a session or log. */
export function asideEnding(clock: Clock): string {
  return `.torn-${new Date(clock.now()).toISOString().replaceAll(/[-:]/g, '')}`
}
