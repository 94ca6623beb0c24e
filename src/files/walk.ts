import { constants } from 'node:fs'
import { access, lstat, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PipeError, throwIfAborted } from '../error.ts'
import { IgnoreRules } from './ignore-rules.ts'
import { fileError, systemCode } from './system-error.ts'
import { readWalkPattern, type WalkPattern } from './walk-pattern.ts'

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
  else yield* filesBelow(start, { top, pattern, rules: await IgnoreRules.above(top), signal })
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

interface Walk extends Pick<WalkOptions, 'signal'> {
  readonly top: string
  readonly pattern: WalkPattern
  readonly rules: IgnoreRules
}

/** Folders to read side by side. */
const atOnce = 32

async function* filesBelow(start: string, { top, pattern, rules, signal }: Walk): AsyncGenerator<string> {
  const folders = [start]
  const inTop = top === '/' ? 1 : top.length + 1
  const list = async (folder: string) => {
    const entries = (await rules.list(folder, signal).catch(unlessSystem)) ?? []
    return entries.map((entry) => ({ entry, path: join(folder, entry.name) }))
  }
  while (folders.length > 0) {
    const listings = await Promise.all(folders.splice(-atOnce).map(list))
    for (const { entry, path } of listings.flat()) {
      const relative = path.slice(inTop)
      if (entry.isDirectory() && pattern.reaches(relative)) folders.push(path)
      else if (entry.isFile() && pattern.matches(relative)) yield path
    }
  }
}

/** Takes what cannot be read for empty. */
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
