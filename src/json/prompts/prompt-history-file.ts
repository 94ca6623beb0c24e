import { appendFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makePrivateFolder } from '../../files/private-folder.ts'
import { readTextIfThere } from '../../files/reading/read-if-there.ts'
import { fileError } from '../../files/system-error.ts'
import { writeAtomically } from '../../files/writing/atomic.ts'
import type { PastPrompt, PastPrompts } from '../../frontend/past-prompts.ts'
import type { Redact } from '../../redaction/redaction.ts'

/** Most messages of a folder that are kept, and bytes of them. */
const mostPrompts = 1_000
const mostBytes = 1_000_000
/** Most characters of one message with its pastes. */
const longestPrompt = 100_000

/** Keeps the messages of a folder in a file, one JSON value a line. Adding one costs as much as the message. */
export class PromptHistoryFile implements Pick<PastPrompts, 'load' | 'add'> {
  readonly #path: string
  readonly #redact: () => Promise<Redact>

  /** The file need not exist. Only its owner may read it. */
  constructor(path: string, redact: () => Promise<Redact>) {
    this.#path = path
    this.#redact = redact
  }

  async load(): Promise<readonly PastPrompt[]> {
    const text = (await readTextIfThere(this.#path)) ?? ''
    const lines = text.split('\n').filter((line) => line !== '')
    const kept = newest(lines)
    if (kept.length < lines.length) {
      await writeAtomically(this.#path, Buffer.from(kept.map((line) => `${line}\n`).join('')), {
        mode: 0o600,
      })
    }
    return kept.flatMap((line) => readHistoryLine(line) ?? [])
  }

  async add(prompt: PastPrompt): Promise<void> {
    const kept = encodePrompt(prompt, await this.#redact())
    makePrivateFolder(dirname(this.#path))
    try {
      await appendFile(this.#path, `${kept}\n`, { mode: 0o600 })
    } catch (error) {
      throw fileError(error, this.#path, 'write')
    }
  }
}

/** Returns the newest lines that may be kept. A file that grew past the bounds loses a quarter more, so that this is rare. */
function newest(lines: readonly string[]): readonly string[] {
  const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
  if (lines.length <= mostPrompts && bytes <= mostBytes) return lines
  let left = (mostBytes * 3) / 4
  let first = lines.length
  while (first > Math.max(0, lines.length - (mostPrompts * 3) / 4)) {
    left -= Buffer.byteLength(lines[first - 1] ?? '') + 1
    if (left < 0) break
    first--
  }
  return lines.slice(first)
}

/** Returns a message as one line of JSON, bounded and without secrets. */
export function encodePrompt(prompt: PastPrompt, redact: Redact): string {
  const { text, pastes } = bounded(prompt)
  return JSON.stringify({
    text: redact(text),
    ...(pastes.length > 0 && {
      pastes: pastes.map((one) => ({ placeholder: one.placeholder, text: redact(one.text) })),
    }),
  })
}

/** Drops the longest pastes until the message is short enough. Their placeholders say so. */
function bounded(prompt: PastPrompt): PastPrompt {
  let { text } = prompt
  const pastes: PastPrompt['pastes'][number][] = []
  let left = longestPrompt
  for (const paste of prompt.pastes.toSorted((a, b) => a.text.length - b.text.length)) {
    left -= paste.text.length
    if (left >= 0) pastes.push(paste)
    else text = text.replaceAll(paste.placeholder, `${paste.placeholder.slice(0, -1)}, not kept]`)
  }
  return { text: text.slice(0, longestPrompt), pastes }
}

/** Reads a line; `undefined` if it is damaged. */
export function readHistoryLine(line: string): PastPrompt | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (!isObject(value) || typeof value['text'] !== 'string') return undefined
    const pastes = Array.isArray(value['pastes']) ? value['pastes'].filter(isPaste) : []
    return { text: value['text'], pastes }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isPaste(value: unknown): value is PastPrompt['pastes'][number] {
  return isObject(value) && typeof value['placeholder'] === 'string' && typeof value['text'] === 'string'
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
