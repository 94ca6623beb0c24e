import type { Settings } from '../../../config/settings.ts'
import { PipeError } from '../../../error.ts'
import type { CommandExit, CommandRunner } from '../../../machine/running-command.ts'
import type { TaskFoldersOptions } from '../../../tasks/task-folder.ts'
import type { Machine } from '../../machine.ts'
import { commandEnvironment } from '../../wiring/tools/builtin-tools.ts'

/** Long enough to install the packages of a project. */
const timeoutMs = 15 * 60_000
/** Characters of the command's output that an error tells. */
const tailLength = 1_000

/**
 * Returns what prepares a folder for work: it runs the command of the setting `worktree.setup` there, without keys in its environment.
 * `undefined` if there is none. Throws `tool` with the end of the output if the command fails.
 */
export function createSetup(
  { env }: Machine,
  settings: Settings,
  commands: CommandRunner,
): TaskFoldersOptions['prepare'] {
  const command = settings.worktree?.setup
  if (command === undefined) return undefined
  return async (cwd, { signal }) => {
    const line = {
      file: 'bash',
      args: ['-c', command],
      cwd,
      env: commandEnvironment(env, settings),
      timeoutMs,
    }
    const output = commands.run(line, { signal })
    let tail = ''
    for (;;) {
      const step = await output.next()
      if (step.done === true) return requireSuccess(step.value, command, tail)
      tail = (tail + Buffer.from(step.value.chunk).toString('utf8')).slice(-tailLength)
    }
  }
}

function requireSuccess({ exitCode, timedOut, signal }: CommandExit, command: string, tail: string): void {
  if (exitCode === 0) return
  const how = timedOut ? 'took too long' : `ended with ${exitCode ?? signal}`
  throw new PipeError('tool', `worktree.setup, ${command}, ${how}: ${tail.trim()}`)
}
