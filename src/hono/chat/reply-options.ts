import type { ReplyFormat } from '../../provider.ts'
import type { ServedChatBody } from './chat-body.ts'

/** Reads the stop sequences of a client. `undefined` for none. */
export function readStop(stop: ServedChatBody['stop']): readonly string[] | undefined {
  const texts = (typeof stop === 'string' ? [stop] : (stop ?? [])).filter((text) => text !== '')
  return texts.length === 0 ? undefined : texts
}

type ChatFormat = NonNullable<ServedChatBody['response_format']>
type SchemaFormat = Extract<ChatFormat, { readonly type: 'json_schema' }>

/** The form of an answer, whose schema chat completions put one level deeper. */
type SentFormat =
  | Exclude<ChatFormat, SchemaFormat>
  | (Pick<SchemaFormat, 'type'> & SchemaFormat['json_schema'])

/** Reads the form of the answer. `undefined` for plain text. */
export function readFormat(format: SentFormat | null | undefined): ReplyFormat | undefined {
  if (format === undefined || format === null || format.type === 'text') return undefined
  if (format.type === 'json_object') return { type: 'json' }
  const { name, schema, description, strict } = format
  const said = { description: description ?? undefined, isStrict: strict ?? undefined }
  return { type: 'schema', name, schema, ...said }
}

/** Reads the form of the answer of a chat completion. */
export function readChatFormat(format: ServedChatBody['response_format']): ReplyFormat | undefined {
  return readFormat(format?.type === 'json_schema' ? { type: format.type, ...format.json_schema } : format)
}
