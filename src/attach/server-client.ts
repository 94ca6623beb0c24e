import { type ErrorCode, isErrorCode, PipeError } from '../error.ts'
import { readBodyText } from '../http/request-body.ts'
import { maxEvent, readServerEvents } from '../http/server-events.ts'
import { isJsonObject, type JsonObject, parseJson } from '../json-value.ts'
import type { HttpResponse, Transport } from '../machine/transport.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { type ServerAddress, serverName } from './address.ts'

/** Most bytes of a refusal that are read, and characters that are shown. */
const maxRefusal = 64 * 1024
const shownRefusal = 500

/** A line of a server's events, with the place to resume after it. */
export interface SentLine {
  readonly id?: string | undefined
  readonly line: JsonObject
}

export interface ServerClientOptions {
  readonly address: ServerAddress
  readonly token: string
  /** Opened for this server alone, so that the token reaches no other. It follows no redirects. */
  readonly transport: Transport
}

/** Asks one server. Methods throw `auth` for a wrong token, `network`, `timeout`, `protocol`, `aborted`, and what the server refuses with. */
export class ServerClient {
  readonly name: string
  readonly #options: ServerClientOptions

  constructor(options: ServerClientOptions) {
    this.#options = options
    this.name = serverName(options.address)
  }

  get(path: string, signal: AbortSignal): Promise<JsonObject> {
    return this.#ask({ method: 'GET', path }, signal)
  }

  post(path: string, body: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    return this.#ask({ method: 'POST', path, body: JSON.stringify(body) }, signal)
  }

  /** Opens a stream of events, after a place or from its beginning. Resolves once the server has accepted. */
  async listen(
    path: string,
    { after, signal }: { readonly after: string | undefined; readonly signal: AbortSignal },
  ): Promise<AsyncGenerator<SentLine, void, undefined>> {
    const headers = { accept: 'text/event-stream', ...omitUndefined({ 'last-event-id': after }) }
    const response = await this.#send({ method: 'GET', path, headers }, signal)
    return this.#lines(response)
  }

  async *#lines({ body }: HttpResponse): AsyncGenerator<SentLine, void, undefined> {
    for await (const events of readServerEvents(body)) {
      for (const { id, data, unfinished } of events) {
        // The rest comes again after the place before it.
        if (unfinished !== true) yield { line: this.#parse(data), id }
      }
    }
  }

  async #ask(
    asked: { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: string },
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const { body } = await this.#send({ ...asked, headers }, signal)
    return this.#parse(await readBodyText(body, maxEvent + 1))
  }

  async #send(
    {
      path,
      ...asked
    }: Pick<Parameters<Transport['send']>[0], 'method' | 'headers' | 'body'> & { readonly path: string },
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    const { address, token, transport } = this.#options
    const headers = { ...asked.headers, authorization: `Bearer ${token}` }
    const response = await transport.send({ ...asked, headers, url: `${address.base}${path}` }, { signal })
    if (response.status < 200 || response.status > 299) throw await this.#refusal(response)
    return response
  }

  #parse(text: string): JsonObject {
    const value = text.length > maxEvent ? undefined : parseJson(text)
    if (isJsonObject(value)) return value
    throw new PipeError(
      'protocol',
      `${this.name} sent something other than a JSON object of at most ${maxEvent / 1024 / 1024} MB; check that pipe serve runs there`,
    )
  }

  async #refusal({ status, body, headers }: HttpResponse): Promise<PipeError> {
    const answer = parseJson(await readBodyText(body, maxRefusal))
    const { code, message, details } = isJsonObject(answer) ? answer : {}
    if (status === 401)
      return new PipeError(
        'auth',
        `${this.name} does not accept this token; pipe serve prints the right one in its address`,
      )
    if (status >= 300 && status < 400)
      return new PipeError(
        'protocol',
        `${this.name} redirects to another address, and pipe does not send the token there`,
      )
    const told =
      typeof message === 'string' ? message.slice(0, shownRefusal) : `it answered with status ${status}`
    const own = typeof headers['x-request-id'] === 'string' ? { request_id: headers['x-request-id'] } : {}
    return new PipeError(codeOf(code, status), `${this.name}: ${told}`, {
      details: { ...textsIn(details), ...own },
    })
  }
}

/** Reads the code of a refusal: ours in capitals, else as its status says. */
function codeOf(word: unknown, status: number): ErrorCode {
  const code = typeof word === 'string' ? word.toLowerCase() : ''
  if (isErrorCode(code)) return code
  if (status === 404) return 'not_found'
  if (status === 409) return 'conflict'
  if (status === 429 || status === 503) return 'overloaded'
  return status >= 500 ? 'network' : 'input'
}

function textsIn(value: unknown): Readonly<Record<string, string>> {
  const fields = isJsonObject(value) ? Object.entries(value) : []
  return Object.fromEntries(
    fields.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
  )
}
