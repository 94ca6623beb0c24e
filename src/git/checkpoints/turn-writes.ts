import { relative } from 'node:path'
import { isWithin } from '../../machine/path.ts'
import type { Shadow } from '../shadow.ts'
import { pathBatches } from '../tree/index-update.ts'
import { writtenRef } from './stack.ts'
import { keepStates, standingFolder, type WrittenFile, writeList } from './written-files.ts'

/** The turn that writes. */
interface WritingTurn {
  readonly session: string
  readonly number: number
  readonly commit: string
  readonly isTreeless: boolean
}

/** Keeps what the files of one turn were that its calls write and that the saved tree does not hold. */
export class TurnWrites {
  readonly #turn: WritingTurn
  readonly #files = new Map<string, WrittenFile>()
  /** In the saved tree. */
  readonly #saved = new Set<string>()
  readonly #missed = new Set<string>()

  constructor(turn: WritingTurn) {
    this.#turn = turn
  }

  has(path: string): boolean {
    return this.#files.has(path) || this.#saved.has(path) || this.#missed.has(path)
  }

  /** Records that the state of a file could not be kept. */
  miss(path: string): void {
    this.#missed.add(path)
  }

  /** Keeps a file as it is. It is on disk before the file is written, so that a killed turn can be undone, too. */
  async keep(shadow: Shadow, path: string): Promise<void> {
    const { commit, isTreeless } = this.#turn
    if (
      !isTreeless &&
      (await namesIn(shadow, ['ls-tree', '-r', '--full-tree', '--name-only', '-z', commit], [path])).has(path)
    ) {
      this.#saved.add(path)
      return
    }
    const before = (await keepStates(shadow, [path])).get(path)
    // Nothing but a file is ever written.
    if (before === 'other') return
    this.#files.set(path, { path, base: standingFolder(path), before, after: 'unknown' })
    await writeList(shadow, writtenRef(this.#turn), [...this.#files.values()])
  }

  /**
   * Keeps what the files are now, unless the index holds them by now. Returns whether some have changed, and the paths of those that
   * cannot be undone.
   */
  async close(shadow: Shadow): Promise<{ readonly isChanged: boolean; readonly lost: readonly string[] }> {
    const paths = [...this.#files.keys()]
    if (paths.length === 0) return { isChanged: false, lost: [...this.#missed] }
    const covered = this.#turn.isTreeless
      ? new Set<string>()
      : await namesIn(shadow, ['ls-files', '-z'], paths)
    const states = await keepStates(shadow, paths)
    const changed: WrittenFile[] = []
    const lost = [...this.#missed]
    for (const file of this.#files.values()) {
      const after = states.get(file.path)
      if (covered.has(file.path)) continue
      if (after === 'other') lost.push(file.path)
      else if (after?.id !== file.before?.id || after?.mode !== file.before?.mode)
        changed.push({ ...file, after })
    }
    const ref = writtenRef(this.#turn)
    if (changed.length > 0) await writeList(shadow, ref, changed)
    else await shadow.git(['update-ref', '-d', ref])
    return { isChanged: changed.length > 0, lost }
  }
}

/** Those of the absolute paths inside the root that git lists. */
async function namesIn(
  shadow: Shadow,
  listing: readonly string[],
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const names = new Map(
    paths.filter((path) => isWithin(path, shadow.root)).map((path) => [relative(shadow.root, path), path]),
  )
  const found = new Set<string>()
  const env = { GIT_LITERAL_PATHSPECS: '1' }
  for (const batch of pathBatches([...names.keys()])) {
    for (const name of (await shadow.git([...listing, '--', ...batch], { env })).split('\0')) {
      const path = names.get(name)
      if (path !== undefined) found.add(path)
    }
  }
  return found
}
