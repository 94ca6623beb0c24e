import { basename, dirname } from 'node:path'
import { readChunks } from '../../files/reading/chunks.ts'
import { splitLines, type TextLine } from '../../files/reading/split-lines.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../json-value.ts'
import { count, object, text } from '../../wire/json-fields.ts'
import {
  type AgentFolders,
  archivedRollouts,
  codexHome,
  codexHomesAbove,
  foreignSessionFiles,
  rolloutEnding,
  rollouts,
} from '../agent-folders.ts'
import { maxLineBytes, type SessionLine } from '../read-session.ts'

export interface HistorySearch extends AgentFolders {
  /** The path of the rollout itself; `undefined` for stdin. */
  readonly path: string | undefined
  readonly signal: AbortSignal
}

/** The first bytes of another rollout, with which a rollout begins. */
interface Base {
  /** The id of a thread, or of a later segment of one. */
  readonly id: string
  readonly endByte: number | undefined
  readonly endOrdinal: number
}

/** A rollout up to where the next one goes on. */
interface Segment extends Base {
  readonly path: string
}

/** Finds what a rollout of Codex continues: a thread that was forked or rewound begins a file of its own, without what was said before. */
export class CodexHistory {
  /** The earlier rollouts that were read. */
  readonly files: string[] = []
  /** The missing parts of the history, in the plural. */
  readonly missing: string[] = []
  readonly #searching: HistorySearch
  #paths: readonly string[] | undefined

  constructor(searching: HistorySearch) {
    this.#searching = searching
  }

  /** Yields the lines of a session with those that it continues, behind its header. Passes other sessions through. */
  async *join(lines: AsyncIterable<TextLine>): AsyncGenerator<SessionLine> {
    let isFirst = true
    for await (const line of lines) {
      const base = isFirst ? baseIn(line) : undefined
      isFirst = false
      yield line
      if (base !== undefined) for (const segment of await this.#chain(base)) yield* this.#read(segment)
    }
  }

  /** Returns the segments of a history, the oldest first. */
  async #chain(first: Base): Promise<readonly Segment[]> {
    const chain: Segment[] = []
    for (let base: Base | undefined = first; base !== undefined; ) {
      const path = await this.#find(base.id)
      // A damaged file may name itself.
      if (path === undefined || chain.some((segment) => segment.path === path)) {
        this.missing.push(`beginnings in rollouts that were not found (${base.id})`)
        break
      }
      if (path.endsWith(packed)) {
        this.missing.push(`beginnings in compressed rollouts (unpack ${path} with zstd -d)`)
        break
      }
      chain.push({ ...base, path })
      base = await this.#baseOf(path)
    }
    return chain.reverse()
  }

  async #baseOf(path: string): Promise<Base | undefined> {
    for await (const line of this.#lines(path)) return baseIn(line)
    return undefined
  }

  async *#read({ path, id, endByte, endOrdinal }: Segment): AsyncGenerator<SessionLine> {
    this.files.push(path)
    let read = 0
    for await (const line of this.#lines(path)) {
      const end = line.start + line.bytes.length
      if (endByte === undefined ? ordinalOf(line) >= endOrdinal : end > endByte) break
      read = end
      yield { ...line, from: basename(path) }
    }
    // The newline of the last line counts too.
    if (endByte !== undefined && read + 1 < endByte)
      this.missing.push(`ends of beginnings, in rollouts that became shorter (${id})`)
  }

  #lines(path: string): AsyncIterable<TextLine> {
    const { signal } = this.#searching
    return splitLines(readChunks(path, { signal }), maxLineBytes)
  }

  /** Finds a rollout by the id at the end of its name. One that is not packed goes before one that is. */
  async #find(id: string): Promise<string | undefined> {
    this.#paths ??= await this.#rollouts()
    const named = this.#paths.filter((path) => id !== '' && endsIn(path, id))
    return named.find((path) => !path.endsWith(packed)) ?? named[0]
  }

  /** Returns the rollouts beside this one, and in the folders of Codex. */
  async #rollouts(): Promise<readonly string[]> {
    const { path, ...folders } = this.#searching
    const found = path === undefined ? [] : [...(await foreignSessionFiles(dirname(path), rolloutEnding))]
    const homes = new Set([...(path === undefined ? [] : codexHomesAbove(path)), codexHome(folders)])
    for (const home of homes)
      found.push(...(await rollouts(home, rolloutEnding)), ...(await archivedRollouts(home)))
    return found
  }
}

const packed = '.zst'

/** Whether the name of a rollout ends in an id: that of its thread, or of a later segment. */
function endsIn(path: string, id: string): boolean {
  const name = basename(path).replace(rolloutEnding, '')
  return name.endsWith(`-${id}`) || name.endsWith(`_${id}`)
}

const baseField = Buffer.from('"history_base"')

/** Returns what a rollout continues, if this is the header of one that does. */
function baseIn({ bytes }: TextLine): Base | undefined {
  const line = bytes.includes(baseField) ? parseLine(bytes) : undefined
  const base = object(object(line?.['payload'])?.['history_base'])
  if (line?.['type'] !== 'session_meta' || base === undefined) return undefined
  return {
    id: text(base['thread_id']),
    endByte: count(base['end_byte_offset']),
    endOrdinal: count(base['end_ordinal_exclusive']) ?? Number.POSITIVE_INFINITY,
  }
}

function ordinalOf({ bytes }: TextLine): number {
  return count(parseLine(bytes)?.['ordinal']) ?? 0
}

function parseLine(bytes: Buffer): JsonObject | undefined {
  const value = parseJson(String(bytes))
  return isJsonObject(value) ? value : undefined
}
