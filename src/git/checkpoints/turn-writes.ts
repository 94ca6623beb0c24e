import { relative } from 'node:path'
import { isWithin } from '../../machine/path.ts'
import type { Shadow } from '../shadow.ts'
import { writtenRef } from './stack.ts'
import { keepStates, standingFolder, type WrittenFile, writeList } from './written-files.ts'

/** The turn that writes. */
interface WritingTurn {
  readonly session: string
  readonly number: number
  /** Whether the tree saved before it has this path, relative to the root. */
  readonly holds: (path: string) => boolean
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
    if (isHeld(shadow, path, this.#turn.holds)) {
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
   * Keeps what the files are now, unless the tree saved after the turn `holds` them. Returns whether some have changed, and the paths of
   * those that cannot be undone.
   */
  async close(
    shadow: Shadow,
    holds: WritingTurn['holds'],
  ): Promise<{ readonly isChanged: boolean; readonly lost: readonly string[] }> {
    const lost = [...this.#missed]
    if (this.#files.size === 0) return { isChanged: false, lost }
    const apart = [...this.#files.values()].filter(({ path }) => !isHeld(shadow, path, holds))
    const states = await keepStates(
      shadow,
      apart.map(({ path }) => path),
    )
    const changed: WrittenFile[] = []
    for (const file of apart) {
      const after = states.get(file.path)
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

function isHeld({ root }: Shadow, path: string, holds: WritingTurn['holds']): boolean {
  return isWithin(path, root) && holds(relative(root, path))
}
