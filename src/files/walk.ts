import { constants, type Dirent } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PipeError, throwIfAborted } from '../error.ts'
import { requireSmallGlob, unusable } from './glob-size.ts'
import { IgnoreRules } from './ignore-rules.ts'
import { fromOneLine, toOneLine } from './one-line.ts'
import { fileError } from './system-error.ts'

export interface WalkOptions {
  readonly signal: AbortSignal
  /**
   * Yields only matching files: `*.ts` at any depth, `./*.ts` in the folder, `src/` everything in it, `!*.ts` all others. Default: all.
   * Finds ignored folders that it starts with, and an ignored file named with a slash, but not in `{…}`.
   */
  readonly pattern?: string
}

/**
 * Yields absolute paths of the regular files under a folder, or of a file itself, in no order. Skips ignored files, `.git` and symlinks,
 * not hidden files. Throws `not_found`, `permission`, `aborted`, and `invalid` if the pattern is too large.
 */
export async function* walk(root: string, options: WalkOptions): AsyncGenerator<string> {
  const { signal } = options
  const pattern = toOneLine(options.pattern ?? '**').replace(/\/$/, '/**')
  requireSmallGlob(pattern)
  throwIfAborted(signal)
  if (!(await isFolder(root))) {
    yield root
    return
  }
  const [{ default: glob }, rules] = await Promise.all([
    import('fast-glob'),
    IgnoreRules.above(resolve(root)),
  ])
  // `!(…)` is a group, not a negation.
  const excluded = /^!(?!\()/.test(pattern) ? [excludedAnywhere(pattern.slice(1))] : []
  const begin = () =>
    glob.stream(excluded.length > 0 ? '**' : pattern, {
      cwd: root,
      baseNameMatch: !pattern.includes('/'),
      dot: true,
      followSymbolicLinks: false,
      suppressErrors: true,
      ignore: ['**/.git/**', ...excluded],
      fs: { readdir: reader(rules, signal) },
    })
  const found = attempt(begin, pattern)
  const below = join(resolve(root), '/')
  const branches = pattern.includes('{')
  for await (const path of found) {
    const full = resolve(root, fromOneLine(String(path)))
    // Alternatives may lead outside, as in `{../*,x}`, or past the ignore rules, as in `{build,x}/*`.
    if (full.startsWith(below) && (!branches || (await rules.reaches(full, signal)))) yield full
  }
  throwIfAborted(signal)
}

/** Reports a glob that does not compile as the caller's mistake. */
function attempt<Result>(begin: () => Result, pattern: string): Result {
  try {
    return begin()
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error
    throw unusable(pattern, 'it is too large')
  }
}

const excludedAnywhere = (pattern: string): string => (pattern.includes('/') ? pattern : `**/${pattern}`)

async function isFolder(path: string): Promise<boolean> {
  try {
    const found = await stat(path)
    if (found.isFile()) return false
    if (found.isDirectory()) {
      // An unreadable folder would look like one without files.
      await access(path, constants.R_OK)
      return true
    }
  } catch (error) {
    throw fileError(error, path, 'search')
  }
  throw new PipeError('invalid', `cannot search ${path}: it is neither a file nor a folder`, {
    details: { path },
  })
}

type Callback<Entry> = (error: NodeJS.ErrnoException | null, entries: Entry[]) => void

/**
 * The `readdir` passed to fast-glob. Hides ignored entries, so that it does not descend into them. Once the signal fires every folder
 * fails, which ends the walk at once.
 */
function reader(rules: IgnoreRules, signal: AbortSignal) {
  function list(folder: string, options: { withFileTypes: true }, callback: Callback<Dirent>): void
  function list(folder: string, callback: Callback<string>): void
  function list(
    folder: string,
    options: { withFileTypes: true } | Callback<string>,
    callback?: Callback<Dirent>,
  ): void {
    const done: Callback<Dirent> | undefined =
      typeof options === 'function'
        ? (error, entries) =>
            options(
              error,
              entries.map(({ name }) => name),
            )
        : callback
    rules.list(fromOneLine(folder), signal).then(
      (entries) => done?.(null, entries.map(withOneLine)),
      (error) => done?.(error, []),
    )
  }
  return list
}

function withOneLine(entry: Dirent): Dirent {
  const name = toOneLine(entry.name)
  return name === entry.name ? entry : Object.create(entry, { name: { value: name } })
}
