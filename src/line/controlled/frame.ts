import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../json-value.ts'
import type { DocumentBlock, ImageBlock } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'

/** A line of a program that drives pipe. */
export type Frame =
  | SentMessage
  /** Asks pipe for something. It answers under the same id. */
  | { readonly type: 'request'; readonly id: string; readonly request: JsonObject }
  /** Answers what pipe asked for. */
  | { readonly type: 'answer'; readonly id: string; readonly answer: JsonObject }
  | { readonly type: 'refusal'; readonly id: string; readonly reason: string }
  /** Of a kind that needs nothing done. */
  | { readonly type: 'other' }
  /** Cannot be read. `id` is that of its request, if it has one. */
  | { readonly type: 'bad'; readonly id?: string; readonly reason: string }

/** A message of the user. */
export interface SentMessage {
  readonly type: 'user'
  readonly text: string
  /** The blocks beside the text. */
  readonly media: readonly (ImageBlock | DocumentBlock)[]
  /** The program's own id of the message. */
  readonly id?: string
  /** Whether it steers the running turn, instead of waiting for its end. */
  readonly isUrgent: boolean
  /** Whether its text names no commands and nothing to attach. */
  readonly isVerbatim: boolean
  /** Why it cannot be sent. It gets a result all the same. */
  readonly fault?: string
}

/** Reads a line. What it cannot use becomes a frame that says why. */
export function readFrame(line: string): Frame {
  const frame = parseJson(line)
  if (!isJsonObject(frame)) return bad('it is not a JSON object')
  switch (frame['type']) {
    case 'user':
      return readUser(frame)
    case 'control_request':
      return readRequest(frame)
    case 'control_response':
      return readAnswer(frame)
    case 'control_cancel_request':
    case 'keep_alive':
    case 'update_environment_variables':
      return { type: 'other' }
    default:
      return bad(`there is no type ${shown(frame['type'])}: it is user, control_request or control_response`)
  }
}

function readUser({ message, uuid, priority, client_composed, shouldQuery }: JsonObject): Frame {
  if (shouldQuery === false) return bad('every user message is answered: shouldQuery cannot be false')
  const content = isJsonObject(message) ? message['content'] : undefined
  const sent = {
    type: 'user',
    isUrgent: priority === 'now',
    isVerbatim: client_composed === true,
    ...omitUndefined({ id: typeof uuid === 'string' ? uuid : undefined }),
  } as const
  const unsent = (fault: string): Frame => ({ ...sent, text: '', media: [], fault })
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  if (!Array.isArray(blocks))
    return unsent('message.content of a user message must be a text or a list of blocks')
  const texts: string[] = []
  const media: (ImageBlock | DocumentBlock)[] = []
  for (const block of blocks as readonly JsonValue[]) {
    if (!isJsonObject(block)) return unsent('a block of a user message must be an object')
    const text = readText(block)
    if (text !== undefined) {
      texts.push(text)
      continue
    }
    const read = readMedia(block)
    if (read === undefined)
      return unsent(
        `a user message cannot hold this block of type ${shown(block['type'])}: it takes text, and image or document in base64; pipe fetches no addresses`,
      )
    media.push(read)
  }
  return { ...sent, text: texts.join('\n\n'), media }
}

/** Reads a block of text, or a document that is one. */
function readText({ type, text, source }: JsonObject): string | undefined {
  if (type === 'text') return typeof text === 'string' ? text : undefined
  if (type !== 'document' || !isJsonObject(source) || source['type'] !== 'text') return undefined
  return typeof source['data'] === 'string' ? source['data'] : undefined
}

function readMedia({ type, source, title }: JsonObject): ImageBlock | DocumentBlock | undefined {
  if (!isJsonObject(source) || source['type'] !== 'base64') return undefined
  const { media_type: mimeType, data } = source
  if (typeof mimeType !== 'string' || typeof data !== 'string') return undefined
  if (type === 'image') return { type, mimeType, data }
  if (type !== 'document') return undefined
  return { type, mimeType, data, ...omitUndefined({ name: typeof title === 'string' ? title : undefined }) }
}

function readRequest({ request_id: id, request }: JsonObject): Frame {
  if (typeof id !== 'string') return bad('a control_request needs a request_id')
  if (!isJsonObject(request) || typeof request['subtype'] !== 'string')
    return { ...bad('a control_request needs a request with a subtype'), id }
  return { type: 'request', id, request }
}

function readAnswer({ response }: JsonObject): Frame {
  const id = isJsonObject(response) ? response['request_id'] : undefined
  if (!isJsonObject(response) || typeof id !== 'string')
    return bad('a control_response needs a response with the request_id that it answers')
  if (response['subtype'] === 'error') {
    const { error } = response
    return { type: 'refusal', id, reason: typeof error === 'string' ? error : 'no reason given' }
  }
  const { response: answer = {} } = response
  return isJsonObject(answer)
    ? { type: 'answer', id, answer }
    : { type: 'refusal', id, reason: 'the answer is not an object' }
}

function bad(reason: string): Extract<Frame, { readonly type: 'bad' }> {
  return { type: 'bad', reason }
}

function shown(value: JsonValue | undefined): string {
  return JSON.stringify(value ?? null).slice(0, 60)
}
