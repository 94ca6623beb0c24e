import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readIfThere } from '../files/reading/read-if-there.ts'
import { writeAtomically } from '../files/writing/atomic.ts'
import { isJsonObject, parseJson } from '../json-value.ts'
import { removeCheck } from './index-check.ts'
import { type Journal, readJournal } from './journal.ts'
import type { SearchSource } from './search-source.ts'
import { indexVersion, openSegment, SegmentFault } from './segment.ts'
import { indexTexts } from './text-source.ts'

/** The index at one moment. */
export interface IndexSnapshot {
  /** The segments, oldest first. */
  readonly segments: readonly Segment[]
  readonly journal: Journal
  /** The segments' sources and that of the journal. */
  readonly sources: readonly SearchSource[]
  /** A segment could not be read, or the index is of another version. */
  readonly isDamaged: boolean
  /** Differs if anything was added to the index or removed. */
  readonly state: string
}

export interface Segment {
  readonly name: string
  readonly source: SearchSource
}

/** The files of an index. Only the holder of its lock changes anything but the journal, to which everyone appends. */
export class IndexFolder {
  readonly path: string
  /** Segments in which a fault was found. */
  readonly #faulty = new Set<string>()

  constructor(path: string) {
    this.path = path
  }

  /** Reads the index, without the segments that are damaged. */
  read(): IndexSnapshot {
    // First, as documents move from here to the segments: those in both count once.
    const journal = readJournal(this.path)
    for (;;) {
      const names = this.#readManifest()?.segments
      const usable = names?.filter((name) => !this.#faulty.has(name)) ?? []
      try {
        const segments = usable.map((name) => ({ name, source: openSegment(join(this.path, name)) }))
        const sources = [...segments.map(({ source }) => source), indexTexts(journal.documents)]
        const state = [...usable, journal.size].join(' ')
        return { segments, journal, sources, state, isDamaged: usable.length !== names?.length }
      } catch (error) {
        this.noteFault(error)
      }
    }
  }

  /** Excludes the faulty segment from now on, unless another process has replaced it. Throws any other error. */
  noteFault(error: unknown): void {
    if (!(error instanceof SegmentFault)) throw error
    const name = this.#readManifest()?.segments.find((one) => join(this.path, one) === error.path)
    if (name !== undefined) this.#faulty.add(name)
  }

  /** Writes a segment that is not yet part of the index. Returns its name. */
  async write(bytes: Buffer): Promise<string> {
    const name = `${this.#nextNumber()}.segment`
    await writeAtomically(join(this.path, name), bytes, { mode: 0o600 })
    return name
  }

  /** Makes these segments the index, oldest first, and removes all others. */
  async commit(names: readonly string[]): Promise<void> {
    const manifest = { version: indexVersion, segments: names, next: this.#nextNumber() }
    const bytes = Buffer.from(`${JSON.stringify(manifest)}\n`)
    await writeAtomically(join(this.path, 'manifest.json'), bytes, { mode: 0o600 })
    for (const name of this.#segmentFiles()) if (!names.includes(name)) rmSync(join(this.path, name))
    removeCheck(this.path)
    this.#faulty.clear()
  }

  /** Returns a number that no segment had, so that no one reads parts of two files. */
  #nextNumber(): number {
    const used = this.#segmentFiles().map((name) => Number.parseInt(name, 10))
    return Math.max(this.#readManifest()?.next ?? 1, ...used.map((number) => number + 1))
  }

  #segmentFiles(): readonly string[] {
    return readdirSync(this.path).filter(isSegment)
  }

  /** Returns `undefined` for an index that is missing, damaged or of another version. */
  #readManifest(): Manifest | undefined {
    const manifest = parseJson(readIfThere(join(this.path, 'manifest.json'))?.toString() ?? '')
    if (!isJsonObject(manifest) || manifest['version'] !== indexVersion) return undefined
    const { segments, next } = manifest
    if (!Array.isArray(segments) || !Number.isSafeInteger(next)) return undefined
    return { segments: segments.filter(isSegment), next: Number(next) }
  }
}

interface Manifest {
  /** The names of the segments. */
  readonly segments: readonly string[]
  /** Above the number of any segment so far. */
  readonly next: number
}

function isSegment(name: unknown): name is string {
  return typeof name === 'string' && /^\d+\.segment$/.test(name)
}
