import { isJsonObject, type JsonValue, textField } from '../../json-value.ts'
import type { Connection, RequestOptions } from '../connection.ts'
import type { LoadedList } from './held-list.ts'

/** Pages and entries of a list at most: a server could go on for ever. */
const most = { pages: 64, entries: 5_000 }

export interface ListQuery extends Pick<RequestOptions, 'signal' | 'timeoutMs'> {
  /** Such as `tools/list`. */
  readonly method: string
  /** The field of a page that holds its entries. */
  readonly field: string
}

/** Reads all pages of a list, as far as it is bounded. It counts as true for the shortest time that a page names. Throws as a request does. */
export async function readPages(
  connection: Connection,
  { method, field, ...options }: ListQuery,
): Promise<LoadedList<readonly JsonValue[]>> {
  const value: JsonValue[] = []
  let ttlMs: number | undefined
  let cursor: string | undefined
  for (let page = 0; page < most.pages && value.length < most.entries; page++) {
    const answer = await connection.request(method, cursor === undefined ? {} : { cursor }, options)
    if (!isJsonObject(answer)) break
    const { [field]: entries, ttlMs: told } = answer
    if (Array.isArray(entries)) for (const entry of entries.slice(0, most.entries)) value.push(entry)
    if (typeof told === 'number' && told >= 0) ttlMs = Math.min(ttlMs ?? told, told)
    const next = textField(answer, 'nextCursor')
    if (next === undefined || next === cursor) break
    cursor = next
  }
  return { value: value.slice(0, most.entries), ttlMs }
}
