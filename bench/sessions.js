import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Writes sessions as the program does: a project each for forty, twenty-four messages, words as frequent as in natural text.

const usage = { input_tokens: 1, output_tokens: 1 }
/** Ten minutes between one session and the next. */
const interval = 600_000

/**
 * Writes sessions of so many rounds of four messages into a folder of pipe's data. They begin in 2026, ten minutes apart, or else end at
 * `until`, a second apart. The same numbers always give the same sessions.
 */
export function writeSessions(home, count, { seed = 1, rounds = 6, until } = {}) {
  const folder = join(home, 'sessions')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const random = randomFrom(seed)
  const first = until === undefined ? Date.UTC(2026, 0, 1) : until - count * 1_000
  const step = until === undefined ? interval : 1_000
  for (let i = 0; i < count; i++) {
    const id = uuid(random)
    const at = new Date(first + i * step).toISOString()
    writeFileSync(join(folder, `${id}.json`), sessionText(id, { i, at, rounds }, random), { mode: 0o600 })
  }
}

function sessionText(id, { i, at, rounds }, random) {
  const messages = Array.from({ length: rounds }, () => round(at, random)).flat()
  const head = {
    version: 1,
    id,
    system_prompt: 'You are pipe.',
    created_at: at,
    cwd: `/home/ada/project-${i % 40}`,
  }
  const lines = Object.entries(head).map(([name, value]) => `"${name}": ${JSON.stringify(value)},\n`)
  const body = messages.map((message) => JSON.stringify(message)).join(',\n')
  return `{\n${lines.join('')}"messages": [\n${body}\n],\n"updated_at": ${JSON.stringify(at)}\n}\n`
}

function round(timestamp, random) {
  const callId = uuid(random)
  const text = (length) => ({ type: 'text', text: words(length, random) })
  const base = () => ({ id: uuid(random), timestamp })
  const call = {
    type: 'tool_call',
    id: callId,
    name: 'bash',
    arguments: { command: `grep ${words(3, random)}` },
  }
  return [
    { type: 'user', ...base(), content: [text(25)] },
    { type: 'assistant', ...base(), content: [text(30), call], stop_reason: 'tool_use', usage },
    {
      type: 'tool_result',
      tool_call_id: callId,
      tool_name: 'bash',
      ...base(),
      content: [text(150)],
      is_error: false,
    },
    { type: 'assistant', ...base(), content: [text(60)], stop_reason: 'end_turn', usage },
  ]
}

const vocabulary = Array.from({ length: 30_000 }, (_, i) => wordOf(i))

/** Spells a number with syllables. */
export function wordOf(number) {
  const syllables = [
    'ka',
    'ter',
    'mo',
    'lin',
    'su',
    'pre',
    'do',
    'van',
    'ri',
    'sel',
    'con',
    'be',
    'ing',
    'al',
    'to',
    'ne',
  ]
  let word = ''
  for (let rest = number + 16; rest > 0; rest = Math.floor(rest / 16)) word += syllables[rest % 16]
  return word
}

/** A rank has a chance of about one by itself, as the words of a language do. */
function words(length, random) {
  const pick = () => vocabulary[Math.floor(vocabulary.length ** random()) - 1]
  return Array.from({ length }, pick).join(' ')
}

function uuid(random) {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** A generator of numbers from 0 to 1 (mulberry32). */
function randomFrom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
