import type { Clock } from '../clock.ts'
import type { PatientLockOptions } from '../files/lock/lock.ts'
import type { NewId } from '../id.ts'

/** Gives the parts of a conversation access to the machine and the process. */
export interface Machine {
  /** Real path. */
  readonly cwd: string
  /** More working folders, as real paths. Default: none. */
  readonly added?: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly home: string
  readonly pid: number
  /** Absent on systems without numeric user ids. */
  readonly uid?: number | undefined
  readonly hostname: string
  readonly platform: string
  /** Whether this is Bun, whose sockets end without a byte of a named pipe. */
  readonly isBun?: boolean
  /** Bytes of memory. Absent: unknown. */
  readonly memory?: number
  readonly clock: Clock
  readonly newId: NewId
  readonly random: () => number
  /** Warns in one line; the run continues. */
  readonly warn: (line: string) => void
  /** Finds the folder of the installed package, which holds `dist`. */
  readonly packageFolder: () => string
}

/** Describes this process as the holder of a lock. */
export function lockHolder(
  { pid, hostname, clock }: Pick<Machine, 'pid' | 'hostname' | 'clock'>,
  signal: AbortSignal,
): PatientLockOptions {
  return { pid, host: hostname, clock, signal }
}
