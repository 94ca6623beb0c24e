import { readFileSync } from 'node:fs'
import { systemCode } from './system-error.ts'

/**
 * When a process began, as an opaque text that tells apart two processes of one pid. `undefined` where it has ended, is a
 * zombie, or the system does not say (only Linux does, in `/proc`).
 */
export function processStart(pid: number): string | undefined {
  const stat = readStat(pid)
  // The name in field 2 may hold spaces and brackets: the fields are counted after its last bracket.
  const [state, ...rest] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  return state === 'Z' || state === 'X' ? undefined : rest[18]
}

/** Whether the process that had this pid and start time still runs. Without a start time the pid alone decides. */
export function isRunning(pid: number, start: string | undefined): boolean {
  return exists(pid) && (start === undefined || processStart(pid) === start)
}

function readStat(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}
