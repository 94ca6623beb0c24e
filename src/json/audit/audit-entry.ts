import type { AuditEntry, LogForm } from '../../audit.ts'
import { unreachable } from '../../error.ts'
import { sha256 } from '../../files/lazy-crypto.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import { type Redact, redactJson } from '../../redaction/redaction.ts'
import { canonicalJson } from '../../wire/canonical-json.ts'
import { encodeMetadata } from './metadata.ts'

/** Maximum characters of a text in a line. */
const maxText = 4_096
/** Maximum characters of the JSON of arguments or facts in a line. */
const maxJson = 4 * maxText

/**
 * Encodes an entry without secrets, with long texts cut and thoughts as hashes. Computes sizes and hashes (`text_bytes`, `text_sha256`,
 * `arguments_sha256`) after redaction, so that no hash reveals a short secret.
 */
export function encodeEntry(entry: AuditEntry, redact: Redact): JsonObject {
  return entry.message?.type === 'assistant_thinking'
    ? encodeMetadata(entry, redact)
    : encodeWhole(entry, redact)
}

/** Encodes an entry like `encodeEntry`, with the text of thoughts. */
export function encodeWhole({ actor, decision, message, audit }: AuditEntry, redact: Redact): JsonObject {
  const { form, facts } = message === undefined ? { form: null, facts: {} } : encodeForm(message, redact)
  const redacted = redactJson(audit, redact)
  return {
    actor,
    decision,
    message: form,
    audit: cutObject({ ...(isJsonObject(redacted) ? redacted : {}), ...facts }),
  }
}

interface Encoded {
  readonly form: JsonObject
  /** Sizes and hashes of the uncut text or arguments. */
  readonly facts: JsonObject
}

function encodeForm(message: LogForm, redact: Redact): Encoded {
  switch (message.type) {
    case 'user':
    case 'assistant_text':
    case 'assistant_thinking':
    case 'system_context': {
      const content = encodeText(redact(message.content))
      return { form: { ...message, content: content.text }, facts: content.facts }
    }
    case 'assistant_action': {
      const args = redactJson(message.tool_args, redact)
      const facts = { arguments_sha256: sha256(canonicalJson(args)) }
      return { form: { ...message, tool_args: cutJson(args) }, facts }
    }
    case 'tool_result': {
      const { text, facts } = encodeText(redact(message.result))
      return { form: { ...message, result: text }, facts }
    }
    case 'tool_error': {
      const { text, facts } = encodeText(redact(message.error))
      return { form: { ...message, error: text }, facts }
    }
    default:
      return unreachable(message)
  }
}

function encodeText(text: string): { readonly text: string; readonly facts: JsonObject } {
  const facts = { text_bytes: Buffer.byteLength(text) }
  if (text.length <= maxText) return { text, facts }
  return { text: cut(text), facts: { ...facts, text_sha256: sha256(text) } }
}

function cut(text: string): string {
  return `${text.slice(0, maxText)}… [${text.length - maxText} more characters]`
}

/** Cuts the long texts of a value. If it is still too long, returns the beginning of its JSON. */
function cutJson(value: JsonValue): JsonValue {
  const shortened = cutTexts(value)
  const text = JSON.stringify(shortened)
  return text.length <= maxJson ? shortened : cut(text)
}

function cutObject(value: JsonObject): JsonObject {
  const shortened = cutJson(value)
  return isJsonObject(shortened) ? shortened : { cut: shortened }
}

function cutTexts(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.length <= maxText ? value : cut(value)
  if (Array.isArray(value)) return value.map(cutTexts)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, cutTexts(entry)]))
}
