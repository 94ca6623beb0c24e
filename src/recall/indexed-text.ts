import { cutStart, cutText } from '../characters/cut.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import type { SearchableBlock, SearchableMessage } from '../memory/recall.ts'
import { contextLength, isLoopMessage } from '../message.ts'
import { type Redact, redactJson } from '../redaction/redaction.ts'

/** Characters of a message to index. Half of a longer text is its beginning, half its end. */
const mostSaid = 16_000
const mostOutput = 2_000

/**
 * Returns the text of a message that is searched, redacted: what was said, calls with their arguments, results. Without the
 * environment, thinking and media; empty for summaries, which repeat earlier messages.
 */
export function indexedText(message: SearchableMessage, redact: Redact): string {
  if (isLoopMessage(message)) return ''
  const said = message.content.slice(message.type === 'user' ? contextLength(message) : 0)
  const text = said.map((block) => blockText(block, redact)).filter(Boolean)
  return withoutMiddle(text.join('\n'), message.type === 'tool_result' ? mostOutput : mostSaid)
}

/** Returns what a message says in words, redacted: without calls and results of tools. */
export function saidText(message: SearchableMessage, redact: Redact): string {
  if (message.type === 'tool_result') return ''
  const said = message.content.slice(message.type === 'user' ? contextLength(message) : 0)
  const content = said.filter(({ type }) => type === 'text')
  return indexedText({ ...message, content, metadata: { ...message.metadata, context: '0' } }, redact)
}

/** Redacts before anything is cut, as half a secret has no shape. */
function blockText({ type, text, name, arguments: args }: SearchableBlock, redact: Redact): string {
  if (type === 'text') return redact(text ?? '')
  if (type !== 'tool_call') return ''
  return [name ?? '', ...texts(redactJson(args ?? null, redact))].join(' ')
}

/** Lists the texts of a JSON value. */
function texts(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(texts)
  return isJsonObject(value) ? Object.values(value).flatMap(texts) : []
}

/** Cuts a text down to its beginning and its end. */
export function withoutMiddle(text: string, most: number): string {
  return text.length <= most ? text : `${cutText(text, most / 2)}\n${cutStart(text, most / 2)}`
}
