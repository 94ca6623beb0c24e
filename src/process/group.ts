import type { Clock } from '../clock.ts'

const graceMs = 3_000
const longestPollMs = 100

/** Ends a process group: TERM, KILL where it is still there 3 s later. Returns when it is gone or was killed. */
export async function endGroup(pgid: number, clock: Clock): Promise<void> {
  signalGroup(pgid, 'SIGTERM')
  const deadline = clock.monotonic() + graceMs
  const never = new AbortController().signal
  for (let pollMs = 5; isGroupAlive(pgid); pollMs = Math.min(pollMs * 2, longestPollMs)) {
    if (clock.monotonic() >= deadline) {
      signalGroup(pgid, 'SIGKILL')
      return
    }
    await clock.sleep(pollMs, never)
  }
}

export function isGroupAlive(pgid: number): boolean {
  return signalGroup(pgid, 0)
}

/** Whether there is such a group. Signal 0 only asks. */
function signalGroup(pgid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pgid, signal)
  } catch (error) {
    // EPERM: it is there, but belongs to someone else by now (sudo).
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
