import { invalidField } from '../../../error.ts'
import { isWorktreeName, openNamedWorktree, worktreeIn } from '../../../git/worktrees/named-worktree.ts'
import type { ServedProject } from '../../../hono/backend.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import { createCommandRunner } from '../../../process/command-runner.ts'
import type { Machine } from '../../machine.ts'
import { projectFolders } from '../../wiring/project-folders.ts'
import { readAllSettings } from '../../wiring/read-settings.ts'
import type { RunSettings } from '../../wiring/run-choices.ts'
import { worktreePlace } from '../../wiring/tasks/task-worktrees.ts'
import { createSetup } from '../worker/setup.ts'

export interface ServedWorktreesOptions {
  readonly machine: Machine
  readonly projects: readonly ServedProject[]
  readonly settings: RunSettings
}

/** The named worktrees of the projects in which sessions work. The server marks each as in use until it ends. */
export class ServedWorktrees {
  readonly #options: ServedWorktreesOptions
  readonly #marked = new Set<string>()
  #commands: CommandRunner | undefined

  constructor(options: ServedWorktreesOptions) {
    this.#options = options
  }

  /** Returns the project of a folder: itself, or one that a worktree stands for. */
  projectOf(cwd: string): ServedProject | undefined {
    const { projects } = this.#options
    const base = worktreeIn(cwd)?.base
    const own = projects.find((project) => project.cwd === cwd)
    const other = own ?? projects.find((project) => project.cwd === base)
    return own ?? (other && { name: other.name, cwd })
  }

  /** Opens the worktree of this name, or makes it. Throws `invalid` for a name that cannot be one, `input`, `tool`, `aborted`. */
  async open(project: ServedProject, name: string, signal: AbortSignal): Promise<ServedProject> {
    if (!isWorktreeName(name)) throw invalidField('worktree', 'takes letters, digits, -, _ and ., at most 64')
    const machine = { ...this.#options.machine, cwd: project.cwd }
    this.#commands ??= createCommandRunner({ clock: machine.clock, projectFolders: projectFolders(machine) })
    const worktree = await openNamedWorktree(worktreePlace(machine, this.#commands), name, { signal })
    if (worktree.isNew) {
      const { settings } = await readAllSettings(machine, this.#options.settings)
      const setup = createSetup(machine, settings, this.#commands)
      if (setup !== undefined) await worktree.prepare(setup, { signal })
    }
    this.#marked.add(worktree.cwd)
    return { name: project.name, cwd: worktree.cwd }
  }

  /** Marks the worktree that a session goes on in, and makes it again if it is gone. Does nothing for a project's own folder. */
  async reopen({ name, cwd }: ServedProject, signal: AbortSignal): Promise<void> {
    const found = worktreeIn(cwd)
    const isOwn = this.#options.projects.some((project) => project.cwd === cwd)
    if (found === undefined || isOwn || this.#marked.has(cwd)) return
    await this.open({ name, cwd: found.base }, found.name, signal)
  }

  async close(): Promise<void> {
    await this.#commands?.close()
  }
}
