import { isJsonObject } from '../json-value.ts'

/** The disk as far as a check needs it. Paths are relative to the working folder. */
export interface CheckDisk {
  readonly isFolder: (path: string) => boolean
  /** Returns what changes with a file's content; `undefined` unless there is a file. */
  readonly fingerprint: (path: string) => string | undefined
  /** Returns a file as text; `undefined` unless there is one. */
  readonly text: (path: string) => string | undefined
}

interface WatchedPart {
  /** Changes with the part. `undefined` once it is gone. */
  readonly read: () => string | undefined
  /** As the check is meant to find it. */
  expected: string | undefined
}

/**
 * Watches the files that a check's line names: scripts, tests, settings, and what `npm test` or `make` starts. A model can make a check
 * pass by changing them.
 */
export class CheckFiles {
  readonly #parts = new Map<string, WatchedPart>()
  readonly #disk: CheckDisk

  constructor(line: string, disk: CheckDisk) {
    this.#disk = disk
    this.#watchLine(line)
  }

  /** Returns the paths that differ from what they were at first, in order of their names. */
  changed(): readonly string[] {
    const paths = [...this.#parts].filter(([, part]) => part.read() !== part.expected).map(([name]) => name)
    return [...new Set(paths.map(pathOf))].sort()
  }

  /** Runs the check. What it changes in its own files does not count. */
  async around<T>(run: () => Promise<T>): Promise<T> {
    const unchanged = [...this.#parts.values()].filter((part) => part.read() === part.expected)
    const ended = await run()
    for (const part of unchanged) part.expected = part.read()
    return ended
  }

  #watchLine(line: string): void {
    const words = wordsOf(line)
    const folders = ['', ...words.filter((word) => this.#disk.isFolder(word)).map((word) => `${word}/`)]
    for (const folder of folders) {
      for (const word of words) {
        const path = word.startsWith('/') ? word : folder + word
        this.#watch(path, () => this.#disk.fingerprint(path))
      }
      for (const name of scriptsIn(line)) this.#watchScript(`${folder}package.json`, name)
      if (/(^|[\s;&|(])make(\s|$)/.test(line))
        for (const name of ['GNUmakefile', 'makefile', 'Makefile'])
          this.#watch(folder + name, () => this.#disk.fingerprint(folder + name))
    }
  }

  /** Watches a script of a package, not the whole document, which an installation changes too. */
  #watchScript(path: string, name: string): void {
    for (const hook of [name, `pre${name}`, `post${name}`]) {
      const read = () => scriptOf(this.#disk.text(path), hook)
      const key = `${path}${mark}${hook}`
      const line = read()
      if (this.#parts.has(key) || (line === undefined && hook === name)) continue
      this.#parts.set(key, { read, expected: line })
      if (line !== undefined) this.#watchLine(line)
    }
  }

  #watch(path: string, read: () => string | undefined): void {
    const expected = read()
    const name = path.replace(/^(\.\/)+/, '')
    if (expected !== undefined && !this.#parts.has(name)) this.#parts.set(name, { read, expected })
  }
}

/** Parts a path from a part of its file. */
const mark = '\0'

function pathOf(name: string): string {
  return name.split(mark, 1)[0] ?? name
}

/** Returns all that may be a path: quoted strings, and words without the signs of the shell. */
function wordsOf(line: string): readonly string[] {
  const quoted = [...line.matchAll(/"([^"]+)"|'([^']+)'/g)].map(
    ([, double, single]) => double ?? single ?? '',
  )
  return [...new Set([...quoted, ...line.split(/[\s;&|()<>"'`$={},]+/)])].filter((word) => word !== '')
}

/** Returns the scripts of a package that a line starts: `npm test`, `pnpm run lint`, `node --run build`. */
function scriptsIn(line: string): readonly string[] {
  const starts =
    /\b(?:npm|pnpm|yarn|bun)(?:\s+(?:run|run-script|-\S+))*\s+([\w:.-]+)|\bnode\s+--run[\s=]+([\w:.-]+)/g
  return [...line.matchAll(starts)].map(([, name = '', other]) => {
    const script = other ?? name
    return script === 't' || script === 'tst' ? 'test' : script
  })
}

function scriptOf(document: string | undefined, name: string): string | undefined {
  if (document === undefined) return undefined
  let read: unknown
  try {
    read = JSON.parse(document)
  } catch {
    // A document that is not JSON has no script: it has changed if it had one.
    return undefined
  }
  const scripts = isJsonObject(read) ? read['scripts'] : undefined
  const line = isJsonObject(scripts) ? Object.entries(scripts).find(([key]) => key === name)?.[1] : undefined
  return typeof line === 'string' ? line : undefined
}
