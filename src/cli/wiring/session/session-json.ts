import { encodeSession } from '../../../json/documents/encode-document.ts'
import type { JsonValue } from '../../../json-value.ts'
import type { Message } from '../../../message.ts'
import { type Redact, redactJson, redactMessage } from '../../../redaction/redaction.ts'
import type { Session } from '../../../session.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import { encodeMessage } from '../../../wire/message-json.ts'

/** Yields a whole session as one JSON document, a message on each line, as its file holds it. With `redact`, without secrets. */
export function* sessionJson(session: Session, redact?: Redact): Generator<string> {
  const { messages: _, ...envelope } = encodeSession({ ...session, messages: [] })
  const head = redact === undefined ? envelope : redactFields(envelope, redact)
  yield `${printableJson(head).slice(0, -1)},"messages":[`
  for (const [i, message] of session.messages.entries()) {
    const encoded = redact === undefined ? encodeMessage(message) : redacted(message, redact)
    yield `${i === 0 ? '' : ','}\n${printableJson(encoded)}`
  }
  yield '\n]}\n'
}

/** Redacts the blocks as for storage, and all other fields. Leaves the data of media alone. */
function redacted(message: Message, redact: Redact): object {
  const { content, ...fields } = encodeMessage(redactMessage(message, redact))
  const blocks = content.map((block) => {
    if (!('data' in block)) return redactFields(block, redact)
    const { data, ...rest } = block
    return { ...redactFields(rest, redact), data }
  })
  return { ...redactFields(fields, redact), content: blocks }
}

function redactFields(fields: object, redact: Redact): object {
  const entries: readonly (readonly [string, JsonValue])[] = Object.entries(fields)
  return Object.fromEntries(entries.map(([name, value]) => [name, redactJson(value, redact)]))
}
