import type { Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { throwIfAborted } from '../../error.ts'
import { type IgnorePattern, readIgnorePatterns } from './ignore-pattern.ts'

/** In ripgrep's order of precedence: an earlier file overrides a later one, wherever the two are. */
const ignoreFiles = ['.rgignore', '.ignore', '.gitignore'] as const

/** The rules of one ignore file for the paths in its folder. */
interface Rules {
  readonly folder: string
  /** Last pattern first: the first match decides. */
  readonly patterns: readonly IgnorePattern[]
}

/** For each of `ignoreFiles`, the rules that apply in a folder, innermost first. */
type RulesByFile = readonly (readonly Rules[])[]

/** Filters a walk by the ignore files above and inside its root. Always leaves out `.git`. */
export class IgnoreRules {
  /** Whether to apply the rules above the root. False if they ignore the root: the caller chose it on purpose. */
  readonly heedsParents: boolean
  /** Whether a `.gitignore` applies only within its repository. Outside of repositories it has no bounds. */
  readonly isBounded: boolean
  /** The rules inside each folder walked so far. */
  readonly #inside = new Map<string, RulesByFile>()

  private constructor(root: string, above: RulesByFile, isInRepository: boolean) {
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

  /** The entries of a folder that a walk visits. Throws `aborted`. */
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

  /** The rules around this path. Loads them if a walk that starts deeper has not visited the folder. */
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

/** Reads a folder's own rules. Returns none if the file is missing, unreadable or not regular (a FIFO would block). */
async function readRules(folder: string, name: string): Promise<readonly Rules[]> {
  const path = join(folder, name)
  const text = await stat(path)
    .then((found) => (found.isFile() ? readFile(path, 'utf8') : ''))
    .catch(() => '')
  return text === '' ? [] : [{ folder, patterns: readIgnorePatterns(text).toReversed() }]
}

/** Whether a path is ignored, given that its folder is not. The innermost file of the kind with precedence decides. */
function ignores(rules: RulesByFile, path: string, isFolder: boolean): boolean {
  for (const kind of rules) {
    for (const { folder, patterns } of kind) {
      const inside = folder.endsWith('/') ? folder : `${folder}/`
      if (!path.startsWith(inside)) continue
      const relative = path.slice(inside.length)
      const decisive = patterns.find(
        ({ matches, foldersOnly }) => (isFolder || !foldersOnly) && matches(relative),
      )
      if (decisive !== undefined) return !decisive.negated
    }
  }
  return false
}

/** The folder itself and those above it. */
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
