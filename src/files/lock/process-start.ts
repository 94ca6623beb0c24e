import { readFileSync, readlinkSync } from 'node:fs'
import { omitUndefined } from '../../omit-undefined.ts'
import { systemCode } from '../system-error.ts'

/**
 * The start time of a process, as opaque text that distinguishes two processes with the same pid. `undefined` if it has ended or is
 * a zombie, or without `/proc`.
 */
export function processStart(pid: number): string | undefined {
  const [state, ...rest] = readStat(pid)
  return state === 'Z' || state === 'X' ? undefined : rest[18]
}

/** Whether this process is in the foreground of its terminal. True without a terminal, or if the system does not report it. */
export function isInForeground(): boolean {
  const [, , group, , , foreground] = readStat('self')
  return foreground === undefined || foreground === '-1' || foreground === group
}

/** Whether the process that had this pid and start time still runs. Without a start time the pid alone decides. */
export function isRunning(pid: number, start: string | undefined): boolean {
  return exists(pid) && (start === undefined || processStart(pid) === start)
}

/** The space in which this process's pid is valid. Field names are those on disk. Both are absent without `/proc`. */
export interface PidSpace {
  /** Differs between machines and between boots. Containers of one machine share it. */
  readonly boot_id?: string
  /** The number of the PID namespace, which differs between containers of one machine. */
  readonly pid_namespace?: string
}

/** The PID space of this process. */
export function pidSpace(): PidSpace {
  const link = orNothing(() => readlinkSync('/proc/self/ns/pid'))
  return omitUndefined({
    boot_id: orNothing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pid_namespace: /\d+/.exec(link ?? '')?.[0],
  })
}

function orNothing(read: () => string): string | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** The fields from the third (the state) on. None if the system does not report them. */
function readStat(pid: number | 'self'): readonly string[] {
  const stat = orNothing(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // The name in field 2 may contain spaces and brackets, so fields count from its last bracket.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}
