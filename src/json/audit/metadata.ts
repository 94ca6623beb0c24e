import type { AuditEntry, LogForm } from '../../audit.ts'
import { sha256 } from '../../files/lazy-crypto.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import { type Redact, redactJson } from '../../redaction/redaction.ts'
import { canonicalJson } from '../../wire/canonical-json.ts'

/** Fields that hold names. All other texts of an entry may repeat the conversation. */
const names = new Set([
  ...['call_id', 'interaction_id', 'request_id', 'id', 'selected_option_id'],
  ...['tool', 'provider', 'model', 'thinking', 'kind', 'purpose', 'code', 'signal'],
  ...['by', 'judged', 'source', 'rule', 'confined', 'stop_reason', 'raw_stop_reason'],
  ...['event', 'outcome'],
  ...['from', 'to', 'for', 'folder', 'path', 'before', 'after', 'kept_as'],
])

const texts = new Set(['content', 'result', 'error'])

/**
 * Strips the conversation from an entry. Keeps decisions, rules, changed files and durations, and replaces texts and arguments
 * by size and hash. Hashes cover the redacted text.
 */
export function encodeMetadata({ actor, decision, message, audit }: AuditEntry, redact: Redact): JsonObject {
  const named = namesIn(redactJson(audit, redact))
  return {
    actor,
    decision,
    message: message === undefined ? null : withoutTexts(message),
    audit: {
      ...(isJsonObject(named) ? named : {}),
      ...(message === undefined ? {} : measure(message, redact)),
    },
  }
}

function withoutTexts(form: LogForm): JsonObject {
  const fields = Object.entries(form).map(([name, value]): [string, JsonValue] => {
    if (name === 'tool_args') return [name, null]
    return [name, texts.has(name) ? '' : value]
  })
  return Object.fromEntries(fields)
}

function measure(form: LogForm, redact: Redact): JsonObject {
  if (form.type === 'assistant_action') {
    const args = canonicalJson(redactJson(form.tool_args, redact))
    return { arguments_bytes: Buffer.byteLength(args), arguments_sha256: sha256(args) }
  }
  const text = redact(textOf(form))
  return { text_bytes: Buffer.byteLength(text), text_sha256: sha256(text) }
}

function textOf(form: Exclude<LogForm, { readonly type: 'assistant_action' }>): string {
  if (form.type === 'tool_result') return form.result
  return form.type === 'tool_error' ? form.error : form.content
}

/** Removes every text that is not a name. `name` is the field that holds the value. */
function namesIn(value: JsonValue, name = ''): JsonValue | undefined {
  if (typeof value === 'string') return names.has(name) ? value : undefined
  if (Array.isArray(value)) return value.flatMap((entry) => namesIn(entry, name) ?? [])
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).flatMap(([field, entry]) => {
    const inside = namesIn(entry, field)
    return inside === undefined ? [] : [[field, inside] as const]
  })
  return Object.fromEntries(kept)
}
