import { cutText } from '../characters/cut.ts'
import type { Memory } from '../memory/memories.ts'
import { frameMemories } from '../memory/memory-frame.ts'
import { fuseRanks } from '../ranking/rank-fusion.ts'
import { mostCharacters } from './clean-text.ts'
import { likenesses } from './likeness.ts'

/** Bytes that count as one token. */
const bytesPerToken = 4

export interface Selection {
  /** The text that they should fit. */
  readonly prompt: string
  /** Most tokens of all memories together. */
  readonly budget: number
  /** All memories by their nearness in meaning to the prompt, the nearest first. Default: only words count. */
  readonly byMeaning?: readonly Memory[] | undefined
}

/**
 * Frames the memories for a message: all of them if they fit the budget, else those most like the prompt. Keeps their order.
 * `undefined` if none fits.
 */
export function presentMemories(memories: readonly Memory[], selection: Selection): string | undefined {
  const items = memories.map(describeItem)
  const chosen = choose(memories, items, selection)
  if (chosen.size === 0) return undefined
  const shown = items.filter((_, i) => chosen.has(i))
  return frameMemories(shown, { shown: shown.length, of: memories.length })
}

/** Whether a message has room for all memories. */
export function haveRoom(memories: readonly Memory[], { budget }: Pick<Selection, 'budget'>): boolean {
  const sizes = memories.map((memory) => sizeOf(describeItem(memory)))
  return sizes.reduce((sum, size) => sum + size, 0) <= budget * bytesPerToken
}

/** Counts the bytes of an item with its line end. */
function sizeOf(item: string): number {
  return Buffer.byteLength(item) + 1
}

/** Returns the positions of the memories to show. */
function choose(
  memories: readonly Memory[],
  items: readonly string[],
  selection: Selection,
): ReadonlySet<number> {
  if (haveRoom(memories, selection)) return new Set(items.keys())
  const sizes = items.map(sizeOf)
  const chosen = new Set<number>()
  let left = selection.budget * bytesPerToken
  for (const i of ranked(memories, selection)) {
    const size = sizes[i] ?? 0
    if (size > left) continue
    left -= size
    chosen.add(i)
  }
  return chosen
}

/** Returns the positions of all memories: first those that fit the prompt by words or meaning, then the newest. */
function ranked(memories: readonly Memory[], { prompt, byMeaning = [] }: Selection): Iterable<number> {
  const scores = likenesses(
    memories.map(({ text }) => text),
    prompt,
  )
  const newest = [...memories.keys()].sort(
    (a, b) => (memories[b]?.date ?? '').localeCompare(memories[a]?.date ?? '') || b - a,
  )
  const alike = newest.filter((i) => (scores[i] ?? 0) > 0).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
  const ids = new Map(memories.map(({ id, scope }, i) => [`${scope} ${id}`, i]))
  const near = byMeaning.flatMap(({ id, scope }) => ids.get(`${scope} ${id}`) ?? [])
  return new Set([...fuseRanks([alike, near]), ...newest])
}

/** Formats a memory as an item. Cuts one that was written by hand and is too long. */
function describeItem({ scope, text, date }: Memory): string {
  const facts = [...(date === undefined ? [] : [date]), ...(scope === 'user' ? ['all projects'] : [])]
  const said = text.length > mostCharacters ? `${cutText(text, mostCharacters)} [cut]` : text
  const lead = facts.length === 0 ? '' : `(${facts.join(', ')}) `
  return `- ${lead}${said}`.replaceAll('\n', '\n  ')
}
