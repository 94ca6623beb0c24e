import type { CommandRunner, ProcessTable } from '../../../machine/running-command.ts'
import { createCommandRunner } from '../../../process/command-runner.ts'
import { createProcessTable } from '../../../process/process-table.ts'
import { projectFolders } from '../project-folders.ts'
import type { WireContext } from '../wire-context.ts'
import { type CommandSandbox, openCommandSandbox } from './command-sandbox.ts'
import { forbiddenPaths, type readRules } from './rules.ts'

/** Runs the commands of a conversation, in its sandbox if it has one. */
export interface RunningParts extends CommandSandbox {
  readonly commands: CommandRunner
  /** The commands in the background. */
  readonly processes: ProcessTable
}

export interface RunningOptions {
  readonly rules: ReturnType<typeof readRules>
  /** Folder for files of this run. */
  readonly scratch: string
}

/** Opens what runs commands, in the sandbox of the settings. Throws `sandbox`. */
export async function openCommands(
  { at: machine, choices, directories, loaded, closing }: WireContext,
  { rules, scratch }: RunningOptions,
): Promise<RunningParts> {
  const commands = createCommandRunner({
    clock: machine.clock,
    projectFolders: projectFolders(machine),
    ...(machine.isBun === true ? {} : { pipesDir: `${scratch}-pipes` }),
    scratch,
  })
  closing.add(() => commands.close())
  const confinement = await openCommandSandbox({
    machine,
    settings: loaded.settings,
    directories,
    commands,
    scratch,
    unreadable: forbiddenPaths(rules, 'read'),
    uneditable: forbiddenPaths(rules, 'edit'),
    mayChangeMode: choices.interactive,
  })
  closing.add(() => confinement.sandbox?.close())
  const processes = createProcessTable()
  closing.add(() => processes.close())
  return { ...confinement, commands, processes }
}
