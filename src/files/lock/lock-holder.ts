import { isJsonObject, parseJson } from '../../json-value.ts'
import { isRunning, type PidSpace, pidSpace, processStart } from './process-start.ts'

/** The holder of a lock, as recorded in its file. Field names are those on disk. */
export interface Holder extends PidSpace {
  readonly pid: number
  readonly host: string
  /** Start of the process. Absent if the system does not report it. */
  readonly start?: string | undefined
  /** Time of locking, in milliseconds since 1970 by the holder's clock. Also distinguishes two locks of one process. */
  readonly since?: number
}

/** Interval between a holder's heartbeats, in milliseconds. */
export const beatMs = 10_000

/** Milliseconds of silence after which a holder counts as dead: two lost heartbeats, and time for a third. */
export const staleMs = 25_000

/** Describes a process of this machine as a holder. */
export function holderOf(pid: number, host: string, since: number): Holder {
  return { pid, host, start: processStart(pid), ...pidSpace(), since }
}

/** Parses a lock file. `undefined` if no holder wrote it. */
export function readHolder(text: string): Holder | undefined {
  const value = parseJson(text)
  return isHolder(value) ? value : undefined
}

function isHolder(value: unknown): value is Holder {
  if (!isJsonObject(value)) return false
  const texts = ['start', 'boot_id', 'pid_namespace'].map((name) => value[name])
  return (
    typeof value['pid'] === 'number' &&
    typeof value['host'] === 'string' &&
    (value['since'] === undefined || typeof value['since'] === 'number') &&
    texts.every((text) => text === undefined || typeof text === 'string')
  )
}

/**
 * Whether both share a PID space: the same boot of one kernel and the same PID namespace. Compares host names only when these are
 * unknown: containers may share one, and a machine may change it.
 */
export function sharePids(a: Omit<Holder, 'pid'>, b: Omit<Holder, 'pid'>): boolean {
  const pairs = [
    [a.boot_id, b.boot_id],
    [a.pid_namespace, b.pid_namespace],
  ] as const
  const told = pairs.filter(([one, other]) => one !== undefined && other !== undefined)
  if (told.some(([one, other]) => one !== other)) return false
  return told.length === pairs.length || a.host === b.host
}

export interface Evidence {
  /** Milliseconds since the last heartbeat, by the clock of the file system. Negative if that was set back. */
  readonly silentMs: number
  readonly isRunning: (pid: number, start: string | undefined) => boolean
}

/**
 * Whether a lock's holder lives, as far as `self` can tell. Checks the process table when both share pids. Otherwise, as after a reboot
 * or in another container, checks only the heartbeat.
 */
export function isAlive(
  holder: Holder,
  self: Omit<Holder, 'pid'>,
  evidence: Evidence = { silentMs: 0, isRunning },
): boolean {
  if (sharePids(holder, self)) return evidence.isRunning(holder.pid, holder.start)
  return Math.abs(evidence.silentMs) < staleMs
}
