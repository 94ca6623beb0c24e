import { isJsonObject, type JsonObject, parseJson } from '../../../json-value.ts'
import { text } from '../../../wire/json-fields.ts'
import { cleanFields } from './clean.ts'

/** The message of a request that did not reach the server. */
export const serverUnreachable = 'The server cannot be reached.'

/** A request that the server refused, or that did not reach it. Its message is for the user. */
export class ApiError extends Error {
  /** HTTP status; 0 if the server could not be reached. */
  readonly status: number

  constructor(message: string, status: number, cause?: unknown) {
    super(message, { cause })
    this.name = 'ApiError'
    this.status = status
  }
}

/** The server's API. Methods throw `ApiError`. */
export interface Api {
  get(path: string, signal?: AbortSignal): Promise<JsonObject>
  post(path: string, body: JsonObject): Promise<JsonObject>
  text(path: string): Promise<string>
  /** Begins an event stream behind the event with this id. */
  events(path: string, after: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
}

export interface ApiOptions {
  readonly fetch: typeof fetch
  /** The path of the page, which ends with `/`. */
  readonly home: string
  readonly token: string
  /** Called when the server refuses the token. */
  onRefused(): void
}

/** Speaks to the server that the page came from. */
export function createApi({ fetch, home, token, onRefused }: ApiOptions): Api {
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { authorization: `Bearer ${token}`, ...init.headers }
    const response = await reach(() => fetch(`${home}${path.slice(1)}`, { ...init, headers }), init.signal)
    if (response.ok) return response
    if (response.status === 401) onRefused()
    const { message } = await readObject(response)
    throw new ApiError(
      sentence(text(message) || `the server answered with status ${response.status}`),
      response.status,
    )
  }
  const post = (body: JsonObject): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return {
    get: async (path, signal) => readObject(await ask(path, signal === undefined ? {} : { signal })),
    post: async (path, body) => readObject(await ask(path, post(body))),
    text: async (path) => (await ask(path)).text(),
    events: async (path, after, signal) => {
      const { body } = await ask(path, { signal, headers: after === '' ? {} : { 'last-event-id': after } })
      if (body === null) throw new ApiError('The server sent no events.', 0)
      return body
    },
  }
}

async function reach(
  request: () => Promise<Response>,
  signal: AbortSignal | null | undefined,
): Promise<Response> {
  try {
    return await request()
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw new ApiError(serverUnreachable, 0, error)
  }
}

async function readObject(response: Response): Promise<JsonObject> {
  const value = parseJson(await response.text())
  return isJsonObject(value) ? cleanFields(value) : {}
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? '' : '.')
}
