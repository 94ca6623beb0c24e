import { type ErrorCode, PipeError } from '../../../error.ts'
import { isJsonObject, type JsonObject } from '../../../json-value.ts'
import type { HttpResponse } from '../../../machine/transport.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { jsonText, list, object, text } from '../../../wire/json-fields.ts'
import type { ServerEvent } from '../../server-events.ts'
import { parseWire } from '../wire-json.ts'
import { readDetails, wordedWait } from './error-details.ts'
import { readForbidden } from './forbidden.ts'
import { responseDetails, statusError } from './http-status.ts'
import { redirected } from './not-a-reply.ts'
import { isOverflow, isReplyLimit } from './overflow.ts'
import { parameterAdvice } from './parameter-advice.ts'
import { quotedServer, shown, through } from './quote.ts'
import { isRequestFault } from './request-fault.ts'

/** The request behind an error, for its message and details. */
export interface Asked {
  readonly provider: string
  readonly model: string
  /** The reply limit that the request names. */
  readonly maxTokens?: number | undefined
  readonly url: string
  readonly apiKey?: string | undefined
  /** Tells how the user replaces a key that the server refuses. */
  readonly keyRemedy?: string | undefined
  /** From the answer's headers. Every error carries it as `details.request_id`. */
  readonly requestId?: string | undefined
  /** The proxy that the answer came through. */
  readonly via?: string | undefined
  /** Whether the quirks of Chat Completions apply to this server. */
  readonly takesQuirks?: boolean | undefined
}

interface Report {
  readonly message: string
  /** The error object's own codes (`type`, `code`, `status`, `details`) as one text to search. */
  readonly words: string
  /** The HTTP status inside the error object, as in a 200 answer. */
  readonly status: number | undefined
  readonly retryAfterMs: string | undefined
}

/** Returns the error of a response whose status is not 2xx. `body` is its text. */
export function responseError(response: HttpResponse, body: string, asked: Asked, now: number): PipeError {
  const { status } = response
  if (status >= 300 && status < 400) return redirected(response, asked)
  return toPipeError(readAnswer(body), status, asked, responseDetails(response, now))
}

/**
 * Parses the JSON object of an event. One without a `type` has the event's name as such. Returns `undefined` for a ping, an event without
 * data, and one that the end of the body cut. Throws the error that the event reports, and `network` if it is not a JSON object: it was
 * damaged on its way.
 */
export function eventObject({ event, data, unfinished }: ServerEvent, asked: Asked): JsonObject | undefined {
  if (data === '' || event === 'ping') return undefined
  const chunk = parseWire(data)
  if (isJsonObject(chunk)) {
    const error = streamError(chunk, event, asked)
    if (error !== undefined) throw error
    return event === undefined || chunk['type'] !== undefined ? chunk : { ...chunk, type: event }
  }
  if (unfinished) return undefined
  throw new PipeError(
    'network',
    `${asked.provider} sent an event that is not a JSON object: ${quotedServer(data, asked.apiKey)}`,
    { details: omitUndefined({ request_id: asked.requestId }) },
  )
}

/**
 * Returns the error that a chunk of a 200 answer reports, if any: `{"error": …}`, also inside `response`; a chunk whose event,
 * `object` or `type` is `error`; or a bare error.
 */
export function streamError(
  chunk: JsonObject,
  event: string | undefined,
  asked: Asked,
): PipeError | undefined {
  const response = object(chunk['response'])
  const body = object(response?.['error']) === undefined ? chunk : response
  const reported = object(body?.['error']) !== undefined || text(body?.['error']) !== ''
  const named = event === 'error' || chunk['object'] === 'error' || chunk['type'] === 'error'
  return reported || named || isBare(chunk) ? reportedError(body ?? chunk, asked) : undefined
}

/** Recognises a bare error: `{"detail": …}`, `{"message": "…", "code": 500}`, `{"message": "…", "type": "InternalServerError"}`. */
function isBare(chunk: JsonObject): boolean {
  const { choices, message, detail, type, code = null, status = null } = chunk
  if (choices !== undefined) return false
  const isFailure =
    /error$/i.test(text(type)) ||
    [code, status].some((number) => Number(number) >= 400) ||
    /^(?!ok$|success)[a-z]/i.test(text(code))
  return text(detail) !== '' || (text(message) !== '' && isFailure)
}

/** Returns the error in an object of a 200 answer: its `error` field or the object itself. */
export function reportedError(body: JsonObject, asked: Asked): PipeError {
  const report = readReport(body, JSON.stringify(body))
  const { status } = report
  const details: Record<string, string> = status === undefined ? {} : { status: String(status) }
  return toPipeError(report, status ?? statusOfWords(report), asked, details)
}

/**
 * Returns the error of a reply whose finish word reports a failure, which may pass. Only quotes the words: the model may have written
 * them.
 */
export function failedReply(words: string, asked: Asked): PipeError {
  const quote = quotedServer(words, asked.apiKey) + through(asked)
  return new PipeError('overloaded', `${asked.provider} failed: ${quote}`, {
    details: omitUndefined({ request_id: asked.requestId }),
  })
}

/** Reads the text of an answer: an error in JSON, a list with one, or any words. */
function readAnswer(source: string): Report {
  const answer = parseWire(source)
  return readReport(object(answer) ?? object(list(answer)[0]), source)
}

function readReport(body: JsonObject | undefined, source: string): Report {
  const error = object(body?.['error']) ?? body
  const codes = ['status_code', 'http_code', 'code', 'status'].map((name) => Number(error?.[name]))
  const { words, retryAfterMs } = readDetails(error?.['details'])
  const message = text(error?.['message']) || text(body?.['error']) || text(body?.['detail']) || source
  const upstream = readUpstream(jsonText(object(error?.['metadata'])?.['raw']))
  return {
    message: upstream === undefined ? message : `${message}: ${upstream.message}`,
    words: `${text(error?.['type'])} ${text(error?.['code'])} ${text(error?.['status'])} ${words} ${upstream?.words ?? ''}`,
    status: codes.find((code) => code >= 400 && code < 600),
    retryAfterMs,
  }
}

/** Reads the answer of the server behind a gateway, which itself only says that there was an error. */
function readUpstream(raw: string): Report | undefined {
  return raw.trim() === '' ? undefined : readAnswer(raw)
}

/** Derives the status of an error that names none. Unknown words count as a server error. */
function statusOfWords({ words }: Report): number {
  if (/rate_limit|quota|exhausted/i.test(words)) return 429
  if (/billing/i.test(words)) return 402
  if (/authenticat|api_key|permission/i.test(words)) return 401
  if (/not_found/i.test(words)) return 404
  if (/policy|image/i.test(words)) return 400
  if (/too_large/i.test(words)) return 413
  return /invalid|unsupported|precondition|missing/i.test(words) ? 400 : 500
}

/** Excludes `billing`, which rate limits also mention. */
const exhausted =
  /insufficient[_ ](quota|balance|credits|funds)|credit balance is too low|credits are depleted/i
/** Limits too long to wait for, from servers that do not send their duration in a header. */
const lasting = /per[_ -]?day|limit: 0\b/i
/** A call of the model that its server could not read or did not allow. Another reply may do better. */
const badCall = /\btool_use_failed\b/
const badKey = /api[_ ]key[_ ](invalid|not[_ ]valid|expired)|(incorrect|invalid) api key/i

function toPipeError(
  report: Report,
  status: number,
  asked: Asked,
  details: Record<string, string>,
): PipeError {
  const said = `${report.words} ${report.message}`
  const spent = status === 402 || exhausted.test(said)
  const forbidden =
    status === 403 && !spent && !badKey.test(said) ? readForbidden(report.message, said, asked) : undefined
  const code = spent ? 'rate_limited' : (forbidden?.code ?? errorCode(status, said, asked))
  const quote = quotedServer(report.message, asked.apiKey)
  const number = details['status'] === undefined ? '' : ` (${details['status']})`
  const worded = code === 'rate_limited' || code === 'overloaded' ? wordedWait(report.message) : undefined
  const timed = details['retry_after_ms'] !== undefined || worded !== undefined
  const hopeless =
    spent || forbidden?.isLasting === true || (code === 'rate_limited' && !timed && lasting.test(said))
  const what = forbidden?.what ?? explain(code, spent, asked)
  const advice = adviceOn(code, status, said, asked)
  const way = asked.via !== undefined && what.startsWith(asked.via) ? '' : through(asked)
  return new PipeError(code, `${what}${number}: ${withAdvice(quote + way, advice)}`, {
    details: {
      ...omitUndefined({ retry_after_ms: report.retryAfterMs ?? worded, request_id: asked.requestId }),
      ...details,
      ...(hopeless ? { should_retry: 'false' } : badCall.test(report.words) ? { should_retry: 'true' } : {}),
      ...(code === 'invalid' ? omitUndefined({ about: blamedPart(said) }) : {}),
      ...(code === 'auth' ? { provider: asked.provider } : {}),
    },
  })
}

function adviceOn(code: ErrorCode, status: number, said: string, asked: Asked): string | undefined {
  if (code === 'auth') return asked.keyRemedy
  return code === 'invalid' && status < 500 ? parameterAdvice(said, asked) : undefined
}

function withAdvice(words: string, advice: string | undefined): string {
  if (advice === undefined) return words
  return words.endsWith('.') ? `${words} To mend it, ${advice}` : `${words}; ${advice}`
}

function errorCode(status: number, said: string, { maxTokens }: Asked): ErrorCode {
  if (isOverflow(status, said))
    return maxTokens !== undefined && isReplyLimit(said) ? 'invalid' : 'context_overflow'
  if (isRequestFault(status, said)) return 'invalid'
  const code = statusError(status)
  return code === 'invalid' && badKey.test(said) ? 'auth' : code
}

function explain(code: ErrorCode, spent: boolean, { provider, model, url, apiKey }: Asked): string {
  if (spent) return `the account at ${provider} has no credit left`
  switch (code) {
    case 'auth':
      return apiKey
        ? `${provider} did not accept the API key`
        : `${provider} requires an API key, but none is set`
    case 'not_found':
      return `${provider} does not know the model "${model}", or ${shown(url)} is not its address`
    case 'context_overflow':
      return `the conversation is too long for ${model}`
    case 'rate_limited':
      return `${provider} limits the request rate`
    case 'invalid':
      return `${provider} refused the request`
    default:
      return `${provider} failed`
  }
}

/** Names of media, of their formats and fields in the messages of servers. */
const media =
  /image|picture|photo|pixel|\bpdf\b|document|\bmedia\b|modal|vision|base64|\b(?:jpe?g|png|gif|webp)\b|inline_?data|input_file|file_data/i

/** Names of the form of an answer in the messages of servers. */
const form =
  /response_?(?:format|mime|json|schema)|json[_ ]schema|structured[_ ]output|output_config|text\.format|grammar/i

/** Names of the proof of thinking, and of where it belongs, in the messages of servers. */
const thoughts =
  /thinking[^.]{0,60}(?:signature|cannot be modified)|signature[^.]{0,30}thinking|thought[_ ]signature|encrypted[_ ]content|of type 'reasoning' was provided|required 'reasoning' item/i

/** Returns the part that a server blames which refuses a request, if it is worth a try to leave it out. */
function blamedPart(said: string): 'form' | 'thoughts' | 'media' | undefined {
  if (form.test(said)) return 'form'
  if (thoughts.test(said)) return 'thoughts'
  return media.test(said) ? 'media' : undefined
}
