import { isJsonObject, type JsonValue, parseJson } from '../json-value.ts'
import type { VectorMetadata } from '../memory/vector-store.ts'

/** Changes with the layout. Files of another version are made anew. */
const version = 1

/** The first line of a journal. */
export interface JournalHeader {
  readonly model: string
  readonly dimensions: number
  /** Differs for each beginning of the store. */
  readonly generation: string
  /** Name of the file that holds the rows. Differs for each such file. */
  readonly rows: string
}

/** A change of the store. A vector that is put takes the place of an older one with its id. */
export type VectorChange =
  /** The vectors of a run of rows that begins with this one. */
  | { readonly type: 'put'; readonly row: number; readonly entries: readonly Named[] }
  | { readonly type: 'remove'; readonly ids: readonly string[] }

export type Named = readonly [id: string, metadata: VectorMetadata]

export function encodeJournalHeader(header: JournalHeader): string {
  return `${JSON.stringify({ version, ...header })}\n`
}

export function encodeChange({ type, ...change }: VectorChange): string {
  return `${JSON.stringify({ [type]: change })}\n`
}

/** Returns `undefined` for text that is no header of this version. */
export function decodeHeader(text: string): JournalHeader | undefined {
  const value = parseJson(text)
  if (!isJsonObject(value) || value['version'] !== version) return undefined
  const { model, dimensions, generation, rows } = value
  if (typeof model !== 'string' || typeof generation !== 'string') return undefined
  if (typeof rows !== 'string' || !isRowsName(rows)) return undefined
  if (typeof dimensions !== 'number' || !Number.isSafeInteger(dimensions) || dimensions < 1) return undefined
  return { model, dimensions, generation, rows }
}

/** Returns `undefined` for text that is no change. */
export function decodeChange(text: string): VectorChange | undefined {
  // Its own depth is checked below: a check of nesting takes as long as the parsing.
  const value = parseJson(text, Number.POSITIVE_INFINITY)
  if (!isJsonObject(value)) return undefined
  const { put, remove } = value
  if (isJsonObject(remove))
    return isIdList(remove['ids']) ? { type: 'remove', ids: remove['ids'] } : undefined
  if (!isJsonObject(put)) return undefined
  const { row, entries } = put
  const isSound = typeof row === 'number' && Array.isArray(entries) && entries.every(isNamed)
  return isSound ? { type: 'put', row, entries } : undefined
}

/** Whether a file of the folder holds rows. */
export function isRowsName(name: string): boolean {
  return /^\d{1,15}\.rows$/.test(name)
}

function isIdList(value: JsonValue | undefined): value is readonly string[] & JsonValue {
  return Array.isArray(value) && value.every((id) => typeof id === 'string')
}

function isNamed(value: unknown): value is Named {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return false
  const metadata: unknown = value[1]
  if (!isJsonObject(metadata)) return false
  for (const key in metadata) if (typeof metadata[key] !== 'string') return false
  return true
}
