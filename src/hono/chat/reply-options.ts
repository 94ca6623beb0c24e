import type { ReplyFormat } from '../../provider.ts'
import type { ServedChatBody } from './chat-body.ts'

/** Reads the stop sequences of a client. `undefined` for none. */
export function readStop(stop: ServedChatBody['stop']): readonly string[] | undefined {
  const texts = (typeof stop === 'string' ? [stop] : (stop ?? [])).filter((text) => text !== '')
  return texts.length === 0 ? undefined : texts
}

/** Reads the form of the answer. `undefined` for plain text. */
export function readFormat(format: ServedChatBody['response_format']): ReplyFormat | undefined {
  if (format === undefined || format === null || format.type === 'text') return undefined
  if (format.type === 'json_object') return { type: 'json' }
  const { name, schema, description, strict } = format.json_schema
  const said = { description: description ?? undefined, isStrict: strict ?? undefined }
  return { type: 'schema', name, schema, ...said }
}
