import type { ClientRequest, IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import type { Clock } from '../clock.ts'
import { isPipeError, PipeError } from '../error.ts'
import type { HttpRequest, HttpResponse, SendOptions, Transport } from '../machine/transport.ts'
import { admitName, admittedRoute } from './admission.ts'
import { aborted, Exchange, responseHeaders } from './exchange.ts'
import { unsendable } from './network-failure.ts'
import { describeProxy, type HttpProxy, type ProxyFor } from './proxy.ts'
import { isOfProxy, proxyRefusal } from './proxy-refusal.ts'
import { loadClient, type RequestRoute, Routes } from './request-route.ts'
import { type ReadAuthorities, Trust } from './trusted-authorities.ts'

export interface TransportOptions {
  /** Names this program to servers. A request's own header comes first. Default: none. */
  readonly userAgent?: string
  /** Maximum silence of a server while a read is pending, in ms. Any byte resets it. Default 300,000. */
  readonly idleMs?: number
  /** Resolves names for requests with `admit`. Default: the system's resolver. */
  readonly lookup?: LookupFunction
  /** Chooses the proxy for each server. Default: none. */
  readonly proxies?: { readonly proxyFor: ProxyFor; readonly clock: Clock }
  /** Connects to this Unix socket, whatever the host of the URL. Default: connects to the host. */
  readonly socketPath?: string
  /** Times fast streams, whose words are gathered before they are read. Default: each piece is read as it comes. */
  readonly clock?: Pick<Clock, 'monotonic' | 'after'>
  /** Authorities besides Node's own, read only if a certificate needs them. Default: none. */
  readonly authorities?: ReadAuthorities
}

/**
 * Creates a transport on Node's own HTTP client. Follows no redirects and keeps connections alive until `close`. Loads nothing
 * before the first `prepare` or `send`.
 */
export function createTransport(options: TransportOptions = {}): Transport {
  const { userAgent, idleMs = 300_000, lookup, proxies, socketPath, authorities, clock } = options
  const named = userAgent === undefined ? {} : { 'user-agent': userAgent }
  const trust = authorities === undefined ? undefined : new Trust(authorities)
  const routes = new Routes(trust, socketPath)

  const findRoute = async (
    target: URL,
    proxy: HttpProxy | undefined,
    { admit }: HttpRequest,
  ): Promise<RequestRoute> => {
    if (proxy !== undefined && proxies !== undefined) {
      if (admit !== undefined) await admitName(target, admit, lookup)
      return routes.through(proxy, target, proxies.clock)
    }
    const route = await routes.direct(target)
    if (admit === undefined) return route
    return { ...route, options: { ...route.options, ...admittedRoute(target, admit, lookup) } }
  }

  const attempt = async (target: URL, asked: HttpRequest, options: SendOptions): Promise<HttpResponse> => {
    const { signal, isRepeatable = false } = options
    const proxy = proxies?.proxyFor(target)
    const route = await findRoute(target, proxy, asked)
    if (signal.aborted) throw aborted(signal)
    const outgoing = begin(route, { ...asked, headers: { ...named, ...asked.headers } })
    route.tunnels?.expect(outgoing, { target, signal })
    const exchange = new Exchange(outgoing, { way: route.way, idleMs, signal, clock })
    outgoing.end(asked.body ?? '')
    const incoming = await responseOf(exchange, isRepeatable)
    if (incoming === undefined) return attempt(target, asked, options)
    const { statusCode: status = 0, statusMessage: reason = '' } = incoming
    const headers = responseHeaders(incoming)
    if (proxy !== undefined && route.way.isAtProxy === true && isOfProxy(status, headers)) {
      incoming.destroy()
      throw proxyRefusal(proxy, target, { status, reason })
    }
    return {
      status,
      headers,
      ...(proxy === undefined ? {} : { via: describeProxy(proxy) }),
      body: exchange.body(incoming),
    }
  }

  return {
    async send(asked, options) {
      if (options.signal.aborted) throw aborted(options.signal)
      const target = parseUrl(asked.url)
      for (;;) {
        try {
          return await attempt(target, asked, options)
        } catch (error) {
          // Nothing was sent yet: the certificate check comes first.
          const host = isPipeError(error) ? error.details['untrusted'] : undefined
          if (host === undefined || (await trust?.widen(host)) !== true) throw error
        }
      }
    },
    prepare(url) {
      loadClient(url.slice(0, url.indexOf(':') + 1))
    },
    close() {
      routes.close()
    },
  }
}

/** Returns the response; `undefined` if the request is to be sent again, on another connection. */
async function responseOf(exchange: Exchange, isRepeatable: boolean): Promise<IncomingMessage | undefined> {
  try {
    return await exchange.response()
  } catch (error) {
    if (isRepeatable && exchange.isStale) return undefined
    throw error
  }
}

function begin(
  { protocol, options, headers: own, way }: RequestRoute,
  { method, headers, body = '' }: HttpRequest,
): ClientRequest {
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  const whole = { method, ...options, headers: { ...headers, ...own, ...length } }
  try {
    // A request to a proxy names the server in its path.
    return way.isAtProxy === true
      ? loadClient(protocol).request(whole)
      : loadClient(protocol).request(way.target, whole)
  } catch (error) {
    throw unsendable(error, way.target)
  }
}

function parseUrl(url: string): URL {
  const target = URL.canParse(url) ? new URL(url) : undefined
  if (target?.protocol === 'http:' || target?.protocol === 'https:') return target
  throw new PipeError('config', `not an HTTP address: ${url}; a base URL looks like https://host/v1`)
}
