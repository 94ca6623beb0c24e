import { sha256 } from '../files/lazy-crypto.ts'
import type { Memory, MemoryScope } from '../memory/memories.ts'
import { findListItems } from './list-items.ts'
import { decodeEntry, encodeMemory, type MemoryEntry } from './memory-entry.ts'

/** A memory with the lines of its file that hold it. */
interface Placed {
  readonly memory: Memory
  readonly first: number
  readonly last: number
  readonly indent: number
}

/** The content of a MEMORY.md. A change gives a new one, in which everything else is byte for byte as it was. */
export class MemoryDocument {
  readonly bytes: Buffer
  readonly #scope: MemoryScope
  /** The lines with their ends. */
  readonly #lines: readonly Buffer[]
  readonly #placed: readonly Placed[]

  constructor(bytes: Buffer, scope: MemoryScope) {
    this.bytes = bytes
    this.#scope = scope
    this.#lines = splitLines(bytes)
    this.#placed = place(this.#lines, scope)
  }

  get memories(): readonly Memory[] {
    return this.#placed.map(({ memory }) => memory)
  }

  /** Adds an item behind the last one, or at the end of a file without items, which begins with `heading` if it is empty. */
  with(entry: MemoryEntry, heading: string): MemoryDocument {
    const lines = this.#lines
    const { last = lines.length - 1, indent = 0 } = this.#placed.at(-1) ?? {}
    const at = last + 1
    const before = Buffer.concat(lines.slice(0, at))
    const end = before.includes('\r\n') ? '\r\n' : '\n'
    const isBlank = before.toString('utf8').trim() === ''
    const gap = before.length === 0 || before.at(-1) === 0x0a ? '' : end
    const space = this.#placed.length > 0 ? '' : isBlank ? `# ${heading}${end}${end}` : end
    // Indented like the last one, so that it takes in no line that follows.
    const item = encodeMemory(entry).map((line) => (line === '' ? '' : ' '.repeat(indent)) + line + end)
    const added = Buffer.from(gap + space + item.join(''))
    return this.#changed([before, added, ...lines.slice(at)])
  }

  /** Removes the items of the memories with these ids. */
  without(ids: ReadonlySet<string>): MemoryDocument {
    const gone = this.#placed.filter(({ memory }) => ids.has(memory.id))
    const isGone = new Set(
      gone.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, i) => first + i)),
    )
    return this.#changed(this.#lines.filter((_, i) => !isGone.has(i)))
  }

  #changed(parts: readonly Buffer[]): MemoryDocument {
    return new MemoryDocument(Buffer.concat(parts), this.#scope)
  }
}

function splitLines(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = []
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(0x0a, from)
    const to = found === -1 ? bytes.length : found + 1
    lines.push(bytes.subarray(from, to))
    from = to
  }
  return lines
}

/** Reads the memories. Of two with the same id, such as after copying a line, the second gets another one. */
function place(lines: readonly Buffer[], scope: MemoryScope): readonly Placed[] {
  const texts = lines.map((line, i) => {
    const text = line.toString('utf8').replace(/\r?\n$/, '')
    return i === 0 ? text.replace(/^\ufeff/, '') : text
  })
  const ids = new Set<string>()
  return findListItems(texts).flatMap(({ lines, ...where }) => {
    const { id: own, text, ...facts } = decodeEntry(lines)
    if (!/[\p{L}\p{N}]/u.test(text)) return []
    const id = own === undefined || ids.has(own) ? hashOf(scope, text) : own
    ids.add(id)
    return { memory: { id, scope, text, ...facts }, ...where }
  })
}

function hashOf(scope: MemoryScope, text: string): string {
  return sha256(`${scope}\n${text}`).slice(0, 8)
}
