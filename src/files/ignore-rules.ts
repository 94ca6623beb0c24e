import type { Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Ignore } from 'ignore'
import { throwIfAborted } from '../error.ts'

interface Rules {
  readonly folder: string
  readonly ignore: Ignore
}

/** What the `.gitignore` files above and inside one folder leave out of a walk through it. `.git` is always left out. */
export class IgnoreRules {
  readonly #create: () => Ignore
  /** The rules that hold inside each folder walked so far, the innermost first. */
  readonly #inside = new Map<string, readonly Rules[]>()

  private constructor(create: () => Ignore) {
    this.#create = create
  }

  /** Reads the rules above `root`, up to the repository's top. A root that is itself ignored was meant: those rules rest. */
  static async above(root: string): Promise<IgnoreRules> {
    const { default: ignore } = await import('ignore')
    const rules = new IgnoreRules(() => ignore())
    const inherited = (await isRepository(root)) ? [] : await rules.#inherited(dirname(root))
    rules.#inside.set(dirname(root), ignores(inherited, root, true) ? [] : inherited)
    return rules
  }

  /** What a walk sees in a folder. Throws `aborted`. */
  async list(folder: string, signal: AbortSignal): Promise<Dirent[]> {
    throwIfAborted(signal)
    const entries = await readdir(folder, { withFileTypes: true })
    const names = new Set(entries.map((entry) => entry.name))
    const outer = names.has('.git') ? [] : await this.#outer(folder, signal)
    const rules = names.has('.gitignore') ? [...(await this.#own(folder)), ...outer] : outer
    this.#inside.set(folder, rules)
    return entries.filter(
      (entry) => entry.name !== '.git' && !ignores(rules, join(folder, entry.name), entry.isDirectory()),
    )
  }

  /** The rules of the folder around this one, which a walk that starts further in has not seen yet. */
  async #outer(folder: string, signal: AbortSignal): Promise<readonly Rules[]> {
    const parent = dirname(folder)
    if (parent !== folder && !this.#inside.has(parent)) await this.list(parent, signal)
    return this.#inside.get(parent) ?? []
  }

  async #inherited(folder: string): Promise<readonly Rules[]> {
    const own = await this.#own(folder)
    const above = dirname(folder)
    if (above === folder || (await isRepository(folder))) return own
    return [...own, ...(await this.#inherited(above))]
  }

  async #own(folder: string): Promise<readonly Rules[]> {
    const text = await readFile(join(folder, '.gitignore'), 'utf8').catch(() => '')
    return text === '' ? [] : [{ folder, ignore: this.#create().add(text) }]
  }
}

/** The innermost file that has something to say decides. */
function ignores(rules: readonly Rules[], path: string, isFolder: boolean): boolean {
  for (const { folder, ignore } of rules) {
    const { ignored, unignored } = ignore.test(relative(folder, path) + (isFolder ? '/' : ''))
    if (ignored || unignored) return ignored
  }
  return false
}

function isRepository(folder: string): Promise<boolean> {
  return stat(join(folder, '.git')).then(
    () => true,
    () => false,
  )
}
