import { unattendedEnvironment } from '../../../builtin/command/child-env.ts'
import { findDirectories } from '../../../config/directories.ts'
import type { Settings } from '../../../config/settings.ts'
import { PipeError } from '../../../error.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import { unfinished } from '../../../machine/running-command.ts'
import type { PermissionMode } from '../../../permission.ts'
import type { Machine } from '../../machine.ts'
import { nameScratch, removeScratch } from '../../wiring/scratch.ts'
import { commandEnvironment } from '../../wiring/tools/builtin-tools.ts'
import { openCommandSandbox } from '../../wiring/tools/command-sandbox.ts'

export interface RaceCheckOptions {
  /** A line of bash. */
  readonly line: string
  /** The machine whose working folder the check runs in. */
  readonly machine: Machine
  readonly settings: Settings
  /** The mode that the model worked in: it decides whether its commands run in the sandbox, and so the check. */
  readonly mode: PermissionMode
  readonly commands: CommandRunner
  readonly signal: AbortSignal
}

const timeoutMs = 60 * 60 * 1_000

/** Characters of output that an error shows. */
const shownOutput = 2_000

/**
 * Runs the user's check over the work of a model, in the sandbox and with the environment of the model's own commands. Returns the
 * `check` error of one that fails. Throws `sandbox`, `tool`, `aborted`.
 */
export async function runCheck(options: RaceCheckOptions): Promise<PipeError | undefined> {
  const { machine, settings, mode, commands } = options
  const scratch = nameScratch(machine)
  const directories = findDirectories(machine.env, machine.home)
  const around = { machine, settings, directories, commands, scratch, mayChangeMode: false }
  const { sandbox, inMode } = await openCommandSandbox(around)
  try {
    const isConfined = (await inMode(mode)) !== undefined
    return await carryOut(options, isConfined && sandbox !== undefined ? sandbox.commands : commands)
  } finally {
    await sandbox?.close()
    await removeScratch(scratch)
  }
}

async function carryOut(
  { line, machine, settings, signal }: RaceCheckOptions,
  commands: Pick<CommandRunner, 'run'>,
): Promise<PipeError | undefined> {
  const env = unattendedEnvironment(commandEnvironment(machine.env, settings))
  const program = { file: 'bash', args: ['--norc', '-c', line, 'bash'], cwd: machine.cwd, env, timeoutMs }
  const running = commands.run(program, { signal })
  let output = ''
  try {
    for (;;) {
      const step = await running.next()
      if (step.done === true) {
        const { exitCode, signal: killedBy, timedOut } = step.value
        if (exitCode === 0) return undefined
        const end = timedOut ? 'took longer than an hour' : `ended with ${killedBy ?? exitCode}`
        return new PipeError('check', `the check ${end}`, { details: { output } })
      }
      output = (output + Buffer.from(step.value.chunk).toString()).slice(-shownOutput)
    }
  } finally {
    await running.return(unfinished)
  }
}
