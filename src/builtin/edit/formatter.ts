import { extname } from 'node:path'
import { oneLine } from '../../characters/one-line.ts'
import { isPipeError, throwIfAborted } from '../../error.ts'
import type { FormatterEntry } from '../../machine/language-setup.ts'
import type { ProgramRunner } from '../../machine/program-runner.ts'
import { findProgram } from '../../process/search-path.ts'

/** Returns a text as a formatter writes it. */
export type Formatted =
  | { readonly type: 'formatted'; readonly by: string; readonly text: string }
  | { readonly type: 'failed'; readonly by: string; readonly why: string }

/** Formats the text of a file, by its absolute path. `undefined` if nothing formats it. Throws `aborted`. */
export type FormatText = (path: string, text: string, signal: AbortSignal) => Promise<Formatted | undefined>

export interface FormatterOptions {
  readonly formatters: readonly FormatterEntry[]
  readonly programs: ProgramRunner
  /** The folder that formatters run in. */
  readonly cwd: string
  /** Their environment, without keys. */
  readonly env: Readonly<Record<string, string>>
  /** Folders in which no program is looked up by its name. */
  readonly except: readonly string[]
}

/** Bounds of a run: product figures. */
const limits = { timeoutMs: 10_000, maxBytes: 16 * 1024 * 1024 }

/** Runs the formatters of the settings: each reads a file on stdin and prints it formatted. */
export function createFormatter({ formatters, programs, cwd, env, except }: FormatterOptions): FormatText {
  return async (path, text, signal) => {
    const entry = formatters.find(({ extension }) => extension === extname(path))
    const [by = '', ...words] = entry?.command ?? []
    if (entry === undefined) return undefined
    const file = by.includes('/') ? by : findProgram(by, env['PATH'] ?? '', except)
    if (file === undefined) return { type: 'failed', by, why: 'it is not installed' }
    const args = words.map((word) => word.replaceAll('{file}', () => path))
    try {
      const run = { ...limits, signal, input: text }
      const { exitCode, stdout, stderr } = await programs.run({ file, args, cwd, env }, run)
      if (exitCode === 0 && (stdout !== '' || text.trim() === ''))
        return { type: 'formatted', by, text: stdout }
      const why = oneLine(stderr, 300) || (exitCode === 0 ? 'it printed nothing' : 'it failed')
      return { type: 'failed', by, why }
    } catch (error) {
      throwIfAborted(signal)
      if (!isPipeError(error)) throw error
      return { type: 'failed', by, why: oneLine(error.message, 300) }
    }
  }
}
