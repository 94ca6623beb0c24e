import type { CommandRunner } from '../../command.ts'
import type { Directories } from '../../config/directories.ts'
import type { Settings } from '../../config/settings.ts'
import type { ProgramRunner } from '../../program-runner.ts'
import type { Transport } from '../../transport.ts'
import type { Host } from '../host.ts'

/** One thing that was looked at. */
export interface Checkup {
  readonly name: string
  /** `broken`: pipe does not work until it is mended; `missing`: it works, without what that would give. */
  readonly state: 'ok' | 'missing' | 'broken'
  readonly text: string
  /** What to do about it. */
  readonly remedy?: string
}

/** What checkups look at, and with what. */
export interface Surroundings {
  readonly host: Host
  readonly settings: Settings
  readonly directories: Directories
  readonly commands: CommandRunner
  readonly programs: ProgramRunner
  readonly transport: Transport
  readonly signal: AbortSignal
}
