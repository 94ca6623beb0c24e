import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Clock } from '../clock.ts'

const graceMs = 3_000
const longestPollMs = 100

/** Ends a process group: TERM, KILL where it is still there 3 s later. Returns when it is gone or was killed. */
export async function endGroup(pgid: number, clock: Clock): Promise<void> {
  signalGroup(pgid, 'SIGTERM')
  const deadline = clock.monotonic() + graceMs
  const never = new AbortController().signal
  for (
    let pollMs = 5;
    isGroupAlive(pgid) && !isGroupOfZombies(pgid);
    pollMs = Math.min(pollMs * 2, longestPollMs)
  ) {
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

/**
 * Whether all that is left of a group has ended and waits to be reaped, which a container's first process may never do. Only Linux
 * says so; elsewhere the answer is no.
 */
function isGroupOfZombies(pgid: number): boolean {
  if (!existsSync('/proc/self/stat')) return false
  return !readdirSync('/proc').some((name) => /^\d+$/.test(name) && isLivingMember(name, pgid))
}

function isLivingMember(pid: string, pgid: number): boolean {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return false
  }
  // The name in field 2 may hold spaces and brackets: the fields are counted after its last bracket.
  const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return group === String(pgid) && state !== 'Z' && state !== 'X'
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
