import { unattendedEnvironment } from '../../../builtin/command/child-env.ts'
import { CommandLog } from '../../../builtin/command/command-log.ts'
import { exitText } from '../../../builtin/command/exit-text.ts'
import { hasCode } from '../../../error.ts'
import { openSpill } from '../../../files/writing/spill.ts'
import type { ShellEnd, ShellOutput } from '../../../frontend/shell-command.ts'
import { type CommandExit, unfinished } from '../../../machine/running-command.ts'
import { noOutput } from '../../../message.ts'
import { createCommandRunner } from '../../../process/command-runner.ts'
import type { Machine } from '../../machine.ts'
import { projectFolders } from '../../wiring/project-folders.ts'

export interface UserShellOptions {
  readonly machine: Pick<Machine, 'env' | 'cwd' | 'added' | 'home' | 'clock'>
  /** Folder for output that is too long for a message. */
  readonly files: string
  readonly signal: AbortSignal
  /** Receives what the model is told of the command. */
  readonly tell: (note: string) => void
}

/** A command of the user may take a day. */
const timeoutMs = 86_400_000

/** Runs a command of the user with their own environment, as bash would. Throws `tool` if it cannot start, and `aborted`. */
export async function* runUserShell(
  command: string,
  { machine, files, signal, tell }: UserShellOptions,
): AsyncGenerator<ShellOutput, ShellEnd, undefined> {
  const { env, cwd, clock } = machine
  const commands = createCommandRunner({ clock, projectFolders: projectFolders(machine) })
  const log = new CommandLog(() => openSpill(files, 'bash'))
  const args = ['--norc', '-c', command, 'bash']
  const program = { file: 'bash', args, cwd, env: unattendedEnvironment(env), timeoutMs }
  const output = commands.run(program, { signal })
  let ended: CommandExit | undefined
  try {
    for (;;) {
      const step = await output.next()
      if (step.done === true) {
        ended = step.value
        break
      }
      const chunk = await log.push(step.value)
      if (chunk !== '') yield { stream: step.value.stream, chunk }
    }
  } catch (error) {
    if (hasCode(error, 'aborted')) tell(noteOf(command, log.take().text, 'the user stopped it'))
    throw error
  } finally {
    await output.return(unfinished)
    await commands.close()
    await log.close()
  }
  const { text, lines, spill } = log.take()
  const { exitCode, durationMs } = ended
  tell(noteOf(command, text, exitText(ended)))
  return { text, lines, spill, isError: exitCode !== 0, exitCode, durationMs: Math.round(durationMs) }
}

/** Tells the model of a command, before the next message. */
function noteOf(command: string, output: string, end: string): string {
  const body = output.trim() === '' ? noOutput : output.trimEnd()
  return `The user ran this command:\n\n$ ${command}\n${body}\n[${end}]`
}
