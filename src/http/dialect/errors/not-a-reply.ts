import { PipeError } from '../../../error.ts'
import type { HttpResponse } from '../../../machine/transport.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { quotedServer, shown, through } from './quote.ts'
import type { Asked } from './reported-error.ts'

/** A server's response that is no reply: its media type without parameters, and its beginning. */
export interface UnreadableAnswer {
  readonly contentType: string
  readonly text: string
}

/** Returns a response's media type in lower case, or an empty text if it has none. */
export function contentTypeOf({ headers }: Pick<HttpResponse, 'headers'>): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Whether to skip a body of this type: pictures, sounds, archives. */
export function isMediaType(contentType: string): boolean {
  return /^(image|audio|video|font)\/|^application\/(pdf|zip|gzip)$/.test(contentType)
}

/** Whether an unreadable answer was no stream at all. Judges by its type or, without one, by its beginning. */
export function isOther({ contentType, text }: UnreadableAnswer, isLines: boolean): boolean {
  if (contentType.includes('event-stream') || (isLines && /^$|json/.test(contentType))) return false
  if (contentType !== '' && !contentType.includes('json')) return true
  return text !== '' && !fields.some((name) => text.startsWith(name) || name.startsWith(text))
}

/** Matches the beginning of a line of server-sent events. */
const fields = [':', 'data', 'event', 'id', 'retry']

/** Returns the error for an answer that is not from a model server: a web page, other JSON, a picture. Retrying does not help. */
export function notAReply({ contentType, text }: UnreadableAnswer, asked: Asked): PipeError {
  const { provider, url, apiKey, requestId } = asked
  const message = `${provider} answered ${shown(url)} with ${describe(contentType, text, apiKey)} instead of a reply${through(asked)}; ${checkUrl}`
  return new PipeError('protocol', message, { details: omitUndefined({ request_id: requestId }) })
}

function describe(contentType: string, text: string, apiKey: string | undefined): string {
  const start = text.trimStart().slice(0, 1)
  if (start === '<') return quotedServer(text, apiKey)
  if (start === '{' || start === '[') return `JSON (${quotedServer(text, apiKey)})`
  const type = contentType === '' ? 'a body without a type' : contentType.slice(0, 100)
  if (start === '') return `an empty body (${type})`
  return isText(contentType) ? `${type} (${quotedServer(text, apiKey)})` : type
}

function isText(contentType: string): boolean {
  return contentType === '' || /^text\/|json|xml|javascript/.test(contentType)
}

const checkUrl = 'the base URL is probably wrong'

/** Returns the error for a redirect (3xx). Following it would send the key along. */
export function redirected({ status, headers }: HttpResponse, asked: Asked): PipeError {
  const { provider, url, requestId } = asked
  const location = headers['location'] ?? ''
  const to = location !== '' && URL.canParse(location, url) ? shown(new URL(location, url).href) : undefined
  const where = to === undefined ? ' without a location' : ` to ${to}`
  return new PipeError(
    'protocol',
    `${provider} answered ${shown(url)} with a redirect (${status})${where}${through(asked)}, which pipe does not follow, because it would get your key; check the base URL`,
    { details: { ...omitUndefined({ request_id: requestId, location: to }), status: String(status) } },
  )
}
