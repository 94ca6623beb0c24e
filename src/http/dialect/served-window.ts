import { isPipeError } from '../../error.ts'
import { type JsonObject, parseJson } from '../../json-value.ts'
import type { ServerAccess } from '../../machine/model-server.ts'
import type { Provider } from '../../provider.ts'
import { count, object } from '../../wire/json-fields.ts'
import { isPublicAddress } from '../public-address.ts'
import { readBodyText } from '../request-body.ts'
import { keyHeaders } from './key-header.ts'

/** Time limit for the server's answer. */
const timeoutMs = 2_000
/** Maximum bytes read from an answer. */
const maxAnswer = 1_000_000

/** Requests a URL, with a JSON body if given. Returns `undefined` if the answer is not a JSON object. */
export type Ask = (url: string, body?: JsonObject) => Promise<JsonObject | undefined>

/** Asks a dialect's server for the size of a model's context in tokens. */
export type AskWindow = (baseUrl: string, model: string, ask: Ask) => Promise<number | undefined>

export interface WindowQuestion {
  readonly askWindow: AskWindow
  /** Whether to ask during the first request. If false, waits for one with several messages: a single prompt is not worth it. */
  readonly atOnce: boolean
}

export interface WindowedProvider {
  readonly provider: Provider
  /** Tokens; `undefined` until the server reports them, or if it does not. */
  readonly servedWindow: () => number | undefined
}

/** Whether a server runs on this machine or its network. There a model has the window it was started with. */
export function isNearby(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')
  // Skips the table of networks for the usual local server, which saves 2 ms at startup.
  if (/^127\.[\d.]+$|^::1$/.test(host)) return true
  if (/^[\d.]+$|:/.test(host)) return !isPublicAddress(host)
  return !host.includes('.') || /\.(local|localhost|lan|internal)$/.test(host)
}

/** Wraps a provider to ask its server for the model's window during a request. On failure the window stays unknown. */
export function withServedWindow(
  provider: Provider,
  access: ServerAccess,
  model: string,
  { askWindow, atOnce }: WindowQuestion,
): WindowedProvider {
  let isAsked = false
  let window: number | undefined
  const learn = async () => {
    const stop = new AbortController()
    const stopWaiting = access.clock.after(timeoutMs, () => stop.abort())
    try {
      window = await askWindow(access.baseUrl, model, (url, body) =>
        askServer(access, url, body, stop.signal),
      )
    } catch (error) {
      if (!isPipeError(error)) throw error
    } finally {
      stopWaiting()
    }
  }
  const stream: Provider['stream'] = (request, options) => {
    if (!isAsked && (atOnce || request.messages.length > 1)) {
      isAsked = true
      void learn()
    }
    return provider.stream(request, options)
  }
  return { provider: { name: provider.name, stream }, servedWindow: () => window }
}

/** Returns the first of these fields that is a number of tokens. */
export function tokensIn(value: JsonObject | undefined, fields: readonly string[]): number | undefined {
  return fields.map((field) => count(value?.[field])).find((tokens) => tokens !== undefined && tokens > 0)
}

async function askServer(
  { transport, headers, ...access }: ServerAccess,
  url: string,
  body: JsonObject | undefined,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const sent = { ...keyHeaders(access), ...headers }
  const response = await transport.send(
    body === undefined
      ? { method: 'GET', url, headers: sent }
      : {
          method: 'POST',
          url,
          headers: { ...sent, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        },
    { signal },
  )
  const text = await readBodyText(response.body, maxAnswer)
  return response.status === 200 ? object(parseJson(text)) : undefined
}
