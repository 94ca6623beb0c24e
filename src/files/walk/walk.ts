import { constants, type Dirent } from 'node:fs'
import { access, lstat, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PipeError, throwIfAborted } from '../../error.ts'
import { fileError, systemCode } from '../system-error.ts'
import { IgnoreRules } from './ignore-rules.ts'
import { mask, readWalkPattern, type WalkPattern } from './walk-pattern.ts'

export interface WalkOptions {
  readonly signal: AbortSignal
  /**
   * Yields only matching files: `*.ts` at any depth, `./*.ts` in the folder, `src/` everything in it, `!*.ts` all others. Default: all.
   * Finds ignored folders that it starts with, and an ignored file named with a slash, but not in `{…}`.
   */
  readonly pattern?: string | undefined
  /** Called for each link that is passed by: one that matches, or below which something may match if it leads to a folder. */
  readonly onLink?: (path: string, matches: boolean) => void
  /** Ends the walk after this many entries of folders. Default: none. */
  readonly mostEntries?: number
}

/**
 * Yields absolute paths of the regular files under a folder, or of a file itself, in no order. Skips ignored files, `.git` and symlinks,
 * not hidden files. Throws `not_found`, `permission`, `aborted`, and `invalid` if the pattern is too large.
 */
export async function* walk(root: string, options: WalkOptions): AsyncGenerator<string> {
  const { signal } = options
  const pattern = readWalkPattern(options.pattern ?? '**')
  throwIfAborted(signal)
  if (!(await isFolder(root))) {
    yield root
    return
  }
  const top = resolve(root)
  const start = await findStart(top, pattern)
  if (start === undefined) return
  if (pattern.isFile) yield start
  else yield* filesBelow(start, { ...options, top, pattern, rules: await IgnoreRules.above(top) })
  throwIfAborted(signal)
}

/** Goes to where the pattern starts. `undefined` if that is not there, behind a symlink or in `.git`. */
async function findStart(top: string, { start, isFile }: WalkPattern): Promise<string | undefined> {
  let path = top
  for (const [i, name] of start.entries()) {
    path = join(path, name)
    const found = name === '.git' ? undefined : await lstat(path).catch(unlessSystem)
    const isWanted = isFile && i === start.length - 1 ? found?.isFile() : found?.isDirectory()
    if (isWanted !== true) return undefined
  }
  return path
}

interface Walk extends Omit<WalkOptions, 'pattern'> {
  readonly top: string
  readonly pattern: WalkPattern
  readonly rules: IgnoreRules
}

/** Walks with a glob that matches everything: fast-glob could take any time for the wanted one, so `createLister` applies that. */
async function* filesBelow(start: string, walk: Walk): AsyncGenerator<string> {
  const { default: glob } = await import('fast-glob')
  const found = glob.stream('**', {
    cwd: start,
    dot: true,
    followSymbolicLinks: false,
    suppressErrors: true,
    fs: { readdir: createLister(walk) },
  })
  for await (const path of found) yield join(start, fromOneLine(String(path)))
}

type Callback<Entry> = (error: NodeJS.ErrnoException | null, entries: Entry[]) => void

/**
 * Creates the `readdir` of the walk. Lists matching files, and folders in which something may match. Once the signal fires every folder
 * fails, which ends the walk at once.
 */
function createLister({ top, pattern, rules, signal, onLink, mostEntries = Number.POSITIVE_INFINITY }: Walk) {
  let left = mostEntries
  const inTop = top === '/' ? 1 : top.length + 1
  /** The masked paths of folders that have one. */
  const masked = new Map<string, string>()
  const list = async (folder: string): Promise<Dirent[]> => {
    const entries = left > 0 ? await rules.list(folder, signal) : []
    left -= entries.length
    const isMasked = pattern.masks(entries.map(({ name }) => name))
    const within = masked.get(folder)
    return entries.filter((entry) => {
      const full = join(folder, entry.name)
      const path = full.slice(inTop)
      const isHere = isMasked?.(entry.name) === true
      const other =
        within === undefined && !isHere
          ? undefined
          : join(within ?? folder.slice(inTop), isHere ? mask : entry.name)
      if (entry.isSymbolicLink()) {
        const matches = pattern.matches(path, other)
        if (matches || pattern.reaches(path, other)) onLink?.(full, matches)
        return false
      }
      if (!entry.isDirectory()) return entry.isFile() && pattern.matches(path, other)
      if (other !== undefined) masked.set(full, other)
      return pattern.reaches(path, other)
    })
  }
  function readdir(folder: string, options: { withFileTypes: true }, callback: Callback<Dirent>): void
  function readdir(folder: string, callback: Callback<string>): void
  function readdir(
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
    list(fromOneLine(folder)).then(
      (entries) => done?.(null, entries.map(withOneLine)),
      (error) => done?.(error, []),
    )
  }
  return readdir
}

function withOneLine(entry: Dirent): Dirent {
  const name = toOneLine(entry.name)
  return name === entry.name ? entry : Object.create(entry, { name: { value: name } })
}

/** Treats a folder that cannot be read as empty. */
function unlessSystem(error: unknown): undefined {
  if (systemCode(error) === undefined) throw error
}

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

/** Line breaks, which the stars of a compiled glob do not match, and their substitutes: no file name decodes to these. */
const substitutes = new Map([
  ['\n', '\udc0a'],
  ['\r', '\udc0d'],
  ['\u2028', '\udc28'],
  ['\u2029', '\udc29'],
])
const ends = new Map([...substitutes].map(([end, substitute]) => [substitute, end]))

/** Replaces the line breaks in a path or pattern. */
function toOneLine(text: string): string {
  return text.replace(/[\n\r\u2028\u2029]/g, (end) => substitutes.get(end) ?? end)
}

/** Reverts `toOneLine`. */
function fromOneLine(text: string): string {
  return text.replace(/[\udc0a\udc0d\udc28\udc29]/g, (substitute) => ends.get(substitute) ?? substitute)
}
