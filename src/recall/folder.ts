import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from '../files/atomic.ts'
import { systemCode } from '../files/system-error.ts'
import { isJsonObject, parseJson } from '../json-value.ts'
import { type Journal, readJournal } from './journal.ts'
import { indexVersion, openSegment, SegmentFault } from './segment.ts'
import type { Source } from './source.ts'
import { indexTexts } from './text-source.ts'

/** The index at one moment. */
export interface Snapshot {
  /** The segments, oldest first. */
  readonly segments: readonly Segment[]
  readonly journal: Journal
  /** The segments' sources and that of the journal. */
  readonly sources: readonly Source[]
  /** A segment could not be read, or the index is of another version. */
  readonly isDamaged: boolean
  /** Differs if anything was added to the index or removed. */
  readonly state: string
}

export interface Segment {
  readonly name: string
  readonly source: Source
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
  read(): Snapshot {
    // First, as documents move from here to the segments: those in both count once.
    const journal = readJournal(this.path)
    for (;;) {
      const names = this.#readManifest()
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
    const name = this.#readManifest()?.find((one) => join(this.path, one) === error.path)
    if (name !== undefined) this.#faulty.add(name)
  }

  /** Writes a segment that is not yet part of the index. Returns its name. */
  async write(bytes: Buffer): Promise<string> {
    // Uses no number twice, so that no one reads parts of two files.
    const used = [...this.#segmentFiles(), ...(this.#readManifest() ?? [])]
    const name = `${Math.max(0, ...used.map((one) => Number.parseInt(one, 10))) + 1}.segment`
    await writeAtomically(join(this.path, name), bytes, { mode: 0o600 })
    return name
  }

  /** Makes these segments the index, oldest first, and removes all others. */
  async commit(names: readonly string[]): Promise<void> {
    const manifest = `${JSON.stringify({ version: indexVersion, segments: names })}\n`
    await writeAtomically(join(this.path, 'manifest.json'), Buffer.from(manifest), { mode: 0o600 })
    for (const name of this.#segmentFiles()) if (!names.includes(name)) rmSync(join(this.path, name))
    this.#faulty.clear()
  }

  #segmentFiles(): readonly string[] {
    return readdirSync(this.path).filter(isSegment)
  }

  /** Returns the names of the segments; `undefined` for an index that is missing, damaged or of another version. */
  #readManifest(): readonly string[] | undefined {
    const manifest = parseJson(readText(join(this.path, 'manifest.json')))
    if (!isJsonObject(manifest) || manifest['version'] !== indexVersion) return undefined
    const { segments } = manifest
    return Array.isArray(segments) ? segments.filter(isSegment) : undefined
  }
}

function isSegment(name: unknown): name is string {
  return typeof name === 'string' && /^\d+\.segment$/.test(name)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return ''
    throw error
  }
}
