import { join } from 'node:path'
import type { Hook } from './hook.ts'
import type { HookRunner } from './hook-runner.ts'

export interface FileChangesOptions {
  readonly hooks: HookRunner
  readonly cwd: string
  /** Returns a text that changes whenever this file does; `undefined` if there is none. */
  readonly stamp: (path: string) => string | undefined
}

/** Notices that files which hooks name have changed. It looks when it is told to: nothing watches in between. */
export class FileChanges {
  readonly #options: FileChangesOptions
  /** The files by their paths, as they were last. */
  readonly #seen: Map<string, string | undefined>

  constructor(options: FileChangesOptions) {
    this.#options = options
    const { hooks, cwd, stamp } = options
    const paths = hooks.hooksOf('FileChanged').flatMap((hook) => pathsOf(hook, cwd))
    this.#seen = new Map(paths.map((path) => [path, stamp(path)]))
  }

  /** Runs the hooks of each file that has changed since. Throws `aborted`. */
  async look(signal: AbortSignal): Promise<void> {
    const { hooks } = this.#options
    for (const [path, event] of this.#take()) {
      const except = hooks
        .hooksOf('FileChanged')
        .filter((hook) => !pathsOf(hook, this.#options.cwd).includes(path))
      const input = { file_path: path, event }
      const answers = await hooks.run({ event: 'FileChanged', input, except }, signal)
      hooks.tell(answers.flatMap(({ answer }) => answer.notices))
    }
  }

  /** Returns the changes, and takes the files as they are now. */
  #take(): readonly (readonly [string, string])[] {
    return [...this.#seen].flatMap(([path, before]) => {
      const now = this.#options.stamp(path)
      if (now === before) return []
      this.#seen.set(path, now)
      return [[path, before === undefined ? 'add' : now === undefined ? 'unlink' : 'change'] as const]
    })
  }
}

/** The files that a hook names, in the working folder. */
function pathsOf({ matcher }: Hook, cwd: string): readonly string[] {
  return matcher
    .split('|')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => join(cwd, name))
}
