import type { Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { throwIfAborted } from '../error.ts'
import { type IgnorePattern, readIgnorePatterns } from './ignore-pattern.ts'

/** What one of them says beats what a later one says, wherever the two stand: ripgrep's order. */
const ignoreFiles = ['.rgignore', '.ignore', '.gitignore'] as const

/** What one ignore file says about the paths in its folder. */
interface Rules {
  readonly folder: string
  /** The last one first: it is the one that decides. */
  readonly patterns: readonly IgnorePattern[]
}

/** For each of `ignoreFiles` the rules that hold in a folder, the innermost first. */
type RulesByFile = readonly (readonly Rules[])[]

/** What the ignore files above and inside one folder leave out of a walk through it. `.git` is always left out. */
export class IgnoreRules {
  /** False for a root that is itself ignored, and so was meant: the rules above it rest. */
  readonly heedsParents: boolean
  /** Whether a `.gitignore` ends at the borders of its repository. Outside of repositories there are no borders. */
  readonly isBounded: boolean
  /** The rules that hold inside each folder walked so far. */
  readonly #inside = new Map<string, RulesByFile>()

  readonly #root: string

  private constructor(root: string, above: RulesByFile, isInRepository: boolean) {
    this.#root = root
    this.heedsParents = !upwards(root).some((folder) => ignores(above, folder, true))
    this.isBounded = this.heedsParents && isInRepository
    this.#inside.set(dirname(root), this.heedsParents ? above : [])
  }

  /** Reads the rules above `root`. */
  static async above(root: string): Promise<IgnoreRules> {
    const folders = upwards(root)
    const top = (await Promise.all(folders.map(isRepository))).indexOf(true)
    const above = ignoreFiles.map(async (name) => {
      const end = name === '.gitignore' && top !== -1 ? top + 1 : folders.length
      const rules = folders.slice(1, end).map((folder) => readRules(folder, name))
      return (await Promise.all(rules)).flat()
    })
    return new IgnoreRules(root, await Promise.all(above), top !== -1)
  }

  /** What a walk sees in a folder. Throws `aborted`. */
  async list(folder: string, signal: AbortSignal): Promise<Dirent[]> {
    throwIfAborted(signal)
    const entries = await readdir(folder, { withFileTypes: true })
    const names = new Set(entries.map((entry) => entry.name))
    const rules = await this.#extend(await this.#around(folder, signal), folder, names)
    this.#inside.set(folder, rules)
    return entries.filter(
      (entry) => entry.name !== '.git' && !ignores(rules, join(folder, entry.name), entry.isDirectory()),
    )
  }

  /** Whether a walk from the root would come upon this file below it. Throws `aborted`. */
  async reaches(path: string, signal: AbortSignal, isFolder = false): Promise<boolean> {
    if (path === this.#root) return true
    if (!(await this.reaches(dirname(path), signal, true))) return false
    return !ignores(await this.#around(path, signal), path, isFolder)
  }

  /** The rules that hold in the folder around this path, which a walk that starts further in has not seen yet. */
  async #around(path: string, signal: AbortSignal): Promise<RulesByFile> {
    const parent = dirname(path)
    if (parent !== path && !this.#inside.has(parent)) await this.list(parent, signal)
    return this.#inside.get(parent) ?? []
  }

  async #extend(outer: RulesByFile, folder: string, names: ReadonlySet<string>): Promise<RulesByFile> {
    const isTop = this.isBounded && names.has('.git')
    if (!isTop && !ignoreFiles.some((name) => names.has(name))) return outer
    return Promise.all(
      ignoreFiles.map(async (name, i) => {
        const own = names.has(name) ? await readRules(folder, name) : []
        return isTop && name === '.gitignore' ? own : [...own, ...(outer[i] ?? [])]
      }),
    )
  }
}

/** A folder's own rules; none where the file is missing, cannot be read, or would make a reader wait (a FIFO). */
async function readRules(folder: string, name: string): Promise<readonly Rules[]> {
  const path = join(folder, name)
  const text = await stat(path)
    .then((found) => (found.isFile() ? readFile(path, 'utf8') : ''))
    .catch(() => '')
  return text === '' ? [] : [{ folder, patterns: readIgnorePatterns(text).toReversed() }]
}

/** Whether a path is ignored whose folder is not: the innermost file of the kind that goes first decides. */
function ignores(rules: RulesByFile, path: string, isFolder: boolean): boolean {
  for (const kind of rules) {
    for (const { folder, patterns } of kind) {
      const inside = folder.endsWith('/') ? folder : `${folder}/`
      if (!path.startsWith(inside)) continue
      const relative = path.slice(inside.length)
      const decisive = patterns.find(
        ({ expression, foldersOnly }) => (isFolder || !foldersOnly) && expression.test(relative),
      )
      if (decisive !== undefined) return !decisive.negated
    }
  }
  return false
}

/** The folder itself, and those around it. */
function upwards(folder: string): readonly string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...upwards(parent)]
}

function isRepository(folder: string): Promise<boolean> {
  return stat(join(folder, '.git')).then(
    () => true,
    () => false,
  )
}
