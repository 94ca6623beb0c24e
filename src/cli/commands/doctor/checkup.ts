import type { Directories } from '../../../config/directories.ts'
import type { Settings } from '../../../config/settings.ts'
import { isPipeError } from '../../../error.ts'
import type { ProgramRunner } from '../../../machine/program-runner.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import type { Transport } from '../../../machine/transport.ts'
import type { Machine } from '../../machine.ts'

/** The result of one check. */
export interface Checkup {
  readonly name: string
  /** `broken`: pipe does not work until this is fixed. `missing`: pipe works without it. */
  readonly state: 'ok' | 'missing' | 'broken'
  readonly text: string
  /** How to fix it. */
  readonly remedy?: string
}

/** Reports the error that a check met. Throws what is a bug. */
export function broken(name: string, error: unknown): Checkup {
  if (!isPipeError(error)) throw error
  return { name, state: 'broken', text: error.message }
}

/** Inputs of the checks. */
export interface CheckContext {
  readonly machine: Machine
  readonly settings: Settings
  readonly directories: Directories
  readonly commands: CommandRunner
  readonly programs: ProgramRunner
  readonly transport: Transport
  readonly signal: AbortSignal
}
