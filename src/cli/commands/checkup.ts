import type { CommandRunner } from '../../command.ts'
import type { Directories } from '../../config/directories.ts'
import type { Settings } from '../../config/settings.ts'
import type { ProgramRunner } from '../../program-runner.ts'
import type { Transport } from '../../transport.ts'
import type { Machine } from '../machine.ts'

/** The result of one check. */
export interface Checkup {
  readonly name: string
  /** `broken`: pipe does not work until it is repaired. `missing`: pipe works without this. */
  readonly state: 'ok' | 'missing' | 'broken'
  readonly text: string
  /** Advice on the repair. */
  readonly remedy?: string
}

/** Inputs of the checks. */
export interface CheckContext {
  readonly host: Machine
  readonly settings: Settings
  readonly directories: Directories
  readonly commands: CommandRunner
  readonly programs: ProgramRunner
  readonly transport: Transport
  readonly signal: AbortSignal
}
