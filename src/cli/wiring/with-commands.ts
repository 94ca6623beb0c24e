import type { CommandRunner } from '../../machine/running-command.ts'
import { createCommandRunner } from '../../process/command-runner.ts'
import type { Machine } from '../machine.ts'
import { projectFolders } from './project-folders.ts'

/** Runs commands of pipe's own for some work, without programs of the project, and ends them with it. */
export async function withCommands<Result>(
  machine: Machine,
  work: (commands: CommandRunner) => Promise<Result>,
): Promise<Result> {
  const commands = createCommandRunner({ clock: machine.clock, projectFolders: projectFolders(machine) })
  try {
    return await work(commands)
  } finally {
    await commands.close()
  }
}
