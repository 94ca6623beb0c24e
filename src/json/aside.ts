import type { Clock } from '../clock.ts'

/** How the file ends that keeps damaged bytes of a session or a log, behind its id. */
export function asideEnding(clock: Clock): string {
  return `.torn-${new Date(clock.now()).toISOString().replaceAll(/[-:]/g, '')}`
}
