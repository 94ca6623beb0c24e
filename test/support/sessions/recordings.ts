import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonValue } from '../../../src/json-value.ts'

/** The result of a correct reader. */
export interface Expected {
  readonly text: string
  readonly thinking: string
  readonly toolCalls: readonly { id: string | null; name: string; arguments: JsonValue }[]
  readonly stopReasonRaw: string | null
  readonly complete: boolean
  readonly responseId?: string
  readonly model?: string
  readonly usageRaw?: JsonValue
  /** Numbers from the wire, not added up. */
  readonly usage: {
    readonly inputTokens?: number | null
    readonly outputTokens?: number | null
    readonly cacheRead?: number | null
    readonly cacheWrite?: number | null
    readonly reasoningTokens?: number | null
  }
  readonly textParts?: readonly string[]
  readonly thinkingParts?: readonly string[]
  readonly signaturePresent?: boolean
  readonly redactedThinkingCount?: number
  readonly error?: { readonly code: unknown; readonly message: string }
  readonly status?: number
}

/** A recorded answer of a real server. */
export interface Recording {
  readonly name: string
  readonly status: number
  readonly bytes: Buffer
  readonly expected: Expected
}

/** Folder of the recordings. If empty, their tests are skipped. */
export const recordingsFolder = process.env['PIPE_FIXTURES'] ?? ''

/** Reads the recordings of one protocol. */
export function readRecordings(protocol: string): readonly Recording[] {
  return recordingsFolder === '' ? [] : [...findRecordings(recordingsFolder, protocol)]
}

/** A body below `allBelow` bytes is cut at every place, another one at some `others`. */
export interface Cuts {
  readonly allBelow: number
  readonly others: number
}

/** Yields the lengths to which a body is cut, each before its last visible byte. */
export function* cutsOf(bytes: Buffer, { allBelow, others }: Cuts): Generator<number> {
  const end = Buffer.byteLength(bytes.toString().trimEnd())
  const step = end < allBelow ? 1 : Math.max(1, Math.floor(end / others))
  for (let cut = 0; cut < end; cut += step) yield cut
}

function* findRecordings(root: string, protocol: string): Generator<Recording> {
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('meta.json')) continue
    const meta = JSON.parse(readFileSync(join(root, path), 'utf8'))
    const at = join(root, path, '..')
    if (meta.protocol !== protocol || !existsSync(join(at, 'expected.json'))) continue
    const expected = JSON.parse(readFileSync(join(at, 'expected.json'), 'utf8'))
    const bytes = readFileSync(join(at, meta.bodyFile))
    yield { name: join(path, '..'), status: meta.status, bytes, expected }
  }
}

/** Mulberry32: the same numbers between 0 and 1 for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
