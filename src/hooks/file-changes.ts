import { basename, join, resolve } from 'node:path'
import type { Hook } from './hook.ts'
import { type Answered, type HookRunner, noticesOf } from './hook-runner.ts'

export interface FileChangesOptions {
  readonly hooks: HookRunner
  readonly cwd: string
  /** Returns a text that changes whenever this file does; `undefined` if there is none. */
  readonly stamp: (path: string) => string | undefined
}

/** Most files that answers of hooks may name, and characters of a path. */
const most = { files: 500, path: 4_096 }

/** Notices that files which hooks name have changed. It looks when it is told to: nothing watches in between. */
export class FileChanges {
  readonly #options: FileChangesOptions
  /** The files by their paths, as they were last. */
  readonly #seen: Map<string, string | undefined>
  /** Those that matchers name. */
  readonly #named: ReadonlySet<string>

  constructor(options: FileChangesOptions) {
    this.#options = options
    const { hooks, cwd, stamp } = options
    const paths = hooks.hooksOf('FileChanged').flatMap((hook) => pathsOf(hook, cwd))
    this.#seen = new Map(paths.map((path) => [path, stamp(path)]))
    this.#named = new Set(paths)
  }

  /** Watches the files that answers of an event name, in place of those that earlier ones named. Without such an answer, nothing changes. */
  watch(answers: readonly Answered[]): void {
    const { cwd, stamp, hooks } = this.#options
    const asked = answers.flatMap(({ answer: { watch } }) => (watch === undefined ? [] : [watch]))
    if (asked.length === 0) return
    const paths = asked.flat().flatMap((path) => (path.length > most.path ? [] : [resolve(cwd, path)]))
    const wanted = new Set(paths.slice(0, most.files))
    if (paths.length < asked.flat().length || paths.length > most.files)
      hooks.tell([`a hook names too many files to watch: only ${most.files} are watched`])
    for (const path of this.#seen.keys())
      if (!this.#named.has(path) && !wanted.has(path)) this.#seen.delete(path)
    for (const path of wanted) if (!this.#seen.has(path)) this.#seen.set(path, stamp(path))
  }

  /** Runs the hooks of each file that has changed since. Throws `aborted`. */
  async look(signal: AbortSignal): Promise<void> {
    const { hooks } = this.#options
    for (const [path, event] of this.#take()) {
      const except = hooks
        .hooksOf('FileChanged')
        .filter((hook) => !isAboutFile(hook, path, this.#options.cwd))
      const input = { file_path: path, event }
      const answers = await hooks.run({ event: 'FileChanged', input, except }, signal)
      hooks.tell(noticesOf(answers))
      this.watch(answers)
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

/** Whether a hook is about a file: its matcher names it, by its name alone where another folder has it, or names none. */
function isAboutFile(hook: Hook, path: string, cwd: string): boolean {
  const names = pathsOf(hook, cwd)
  return names.length === 0 || names.includes(path) || names.includes(join(cwd, basename(path)))
}

/** The files that a hook names, in the working folder. */
function pathsOf({ matcher }: Hook, cwd: string): readonly string[] {
  return matcher
    .split('|')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== '*')
    .map((name) => join(cwd, name))
}
