import type { SessionId } from '../../../id.ts'
import { looksLikeId } from '../../session-argument.ts'

/** Characters of a shortened id, at least. */
const least = 8

/** Shortens ids to the beginnings that tell them apart. Leaves names that the user gave whole. Expects all ids, sorted. */
export function shortenIds(ids: readonly SessionId[]): ReadonlyMap<SessionId, string> {
  return new Map(ids.map((id, i) => [id, shorten(id, [ids[i - 1] ?? '', ids[i + 1] ?? ''])]))
}

function shorten(id: SessionId, neighbours: readonly string[]): string {
  if (id.length !== 36 || !looksLikeId(id)) return id
  const shared = neighbours.map((other) => sharedLength(id, other))
  const length = Math.max(least, ...shared.map((one) => one + 1))
  return id.slice(0, id[length - 1] === '-' ? length + 1 : length)
}

function sharedLength(a: string, b: string): number {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return i
}
