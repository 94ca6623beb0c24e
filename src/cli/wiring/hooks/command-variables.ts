import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { maySetVariable } from '../../../builtin/command/child-env.ts'
import type { Settings } from '../../../config/settings.ts'
import { readTextStart } from '../../../config/text-start.ts'
import { look } from '../../../files/look.ts'
import { makePrivateFolder } from '../../../files/private-folder.ts'
import { fileError } from '../../../files/system-error.ts'
import type { ExportedVariables } from '../../../hooks/exported-variables.ts'
import type { HookExports, VariableFile } from '../../../hooks/run-hook.ts'
import { absoluteEntries } from '../../../process/search-path.ts'
import { systemPath } from '../../../process/system-path.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import type { Machine } from '../../machine.ts'
import { exportVariables } from '../programs/server-environment.ts'
import { commandEnvironment } from '../tools/builtin-tools.ts'

type Environment = Readonly<Record<string, string>>

/** Bytes of a file with variables that are read. */
const longest = 64 * 1_024

/** The variables of a conversation's commands: those of the user, and those that hooks have set since. */
export class CommandVariables implements HookExports {
  readonly #machine: Pick<Machine, 'env' | 'newId'>
  readonly #settings: Settings
  readonly #folder: string
  /** Those of all conversations of the run. */
  readonly #open: Set<CommandVariables>
  #all: Environment
  #ofCommands: Environment | undefined

  /** `folder` is for the files of hooks; commands of the model must not write there. */
  constructor(
    machine: Pick<Machine, 'env' | 'newId'>,
    settings: Settings,
    folder: string,
    open = new Set<CommandVariables>(),
  ) {
    this.#machine = machine
    this.#settings = settings
    this.#folder = folder
    this.#open = open.add(this)
    this.#all = machine.env
  }

  /** The environment of commands. Stays the same object until a hook sets a variable. */
  get env(): Environment {
    this.#ofCommands ??= commandEnvironment(this.#all, this.#settings)
    return this.#ofCommands
  }

  /** The values of `PATH` that commands of the run have, each once. */
  get paths(): readonly string[] {
    return [...new Set([...this.#open].map((one) => one.#all['PATH'] ?? ''))]
  }

  /** Begins with the user's variables for another conversation of the run. Whoever makes it closes it. */
  anew(): CommandVariables {
    return new CommandVariables(this.#machine, this.#settings, this.#folder, this.#open)
  }

  close(): void {
    this.#open.delete(this)
  }

  file(): VariableFile {
    const path = join(this.#folder, this.#machine.newId.message())
    makePrivateFolder(this.#folder)
    try {
      writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
    } catch (error) {
      throw fileError(error, path, 'write')
    }
    return {
      env: exportVariables(path),
      read: () => (look(path)?.isFile() === true ? (readTextStart(path, longest)?.text ?? '') : ''),
      remove: () => rmSync(path, { force: true }),
    }
  }

  set({ variables, unread }: ExportedVariables, by: string): readonly string[] {
    const names = Object.keys(variables)
    const set = Object.entries(variables).filter(([name]) => maySetVariable(name))
    const all = { ...this.#all, ...Object.fromEntries(set) }
    // With an empty one not even bash is found.
    this.#all = { ...all, PATH: absoluteEntries(all['PATH'] ?? '').join(':') || systemPath }
    this.#ofCommands = undefined
    const refused = names.filter((name) => !maySetVariable(name) || !(name in this.env))
    const lines = unread.slice(0, 20).join(', ')
    return [
      ...(refused.length === 0 ? [] : [`the hook ${by} cannot set ${refused.join(', ')} for commands`]),
      ...(lines === '' ? [] : [`the hook ${by}: lines of its variables that set none: ${lines}`]),
    ].map(visibleLine)
  }
}
