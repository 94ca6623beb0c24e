import type { ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionOptions, SecureContext } from 'node:tls'
import { HttpsProxyAgent } from 'https-proxy-agent'
import type { Clock } from '../clock.ts'
import { PipeError } from '../error.ts'
import { aborted } from './exchange.ts'
import { toPipeError } from './network-failure.ts'
import { describeProxy, type HttpProxy } from './proxy.ts'
import { proxyRefusal } from './proxy-refusal.ts'

/** Time limit for a proxy to open a tunnel. */
const timeoutMs = 60_000

export interface TunnelOptions {
  readonly proxy: HttpProxy
  readonly clock: Clock
  /** Trust for a proxy reached over TLS. Default: Node's authorities. */
  readonly secureContext?: SecureContext
}

type ConnectOptions = Parameters<HttpsProxyAgent<string>['connect']>[1]

/** A request that waits for its tunnel. */
export interface TunnelRequest {
  readonly target: URL
  readonly signal: AbortSignal
}

/**
 * Keeps connections through a proxy's tunnels (CONNECT) alive. Unlike its package, it gives up on opening one at the
 * request's signal or after 60 s, and its errors name the proxy instead of passing its answer off as the server's.
 */
export class TunnelAgent extends HttpsProxyAgent<string> {
  readonly #options: TunnelOptions
  readonly #waiting = new WeakMap<ClientRequest, TunnelRequest>()

  constructor(options: TunnelOptions) {
    const { proxy, secureContext } = options
    super(proxy.url.href, {
      keepAlive: true,
      headers: proxy.authorization === undefined ? {} : { 'Proxy-Authorization': proxy.authorization },
      ...(secureContext === undefined ? {} : { secureContext }),
    })
    this.#options = options
  }

  /** Registers a request. Call it in the tick that made the request, before its tunnel is opened. */
  expect(request: ClientRequest, waiting: TunnelRequest): void {
    this.#waiting.set(request, waiting)
  }

  override async connect(request: ClientRequest, options: ConnectOptions): Promise<Socket> {
    const waiting = this.#waiting.get(request)
    if (waiting === undefined) throw new Error('no request was registered for this tunnel')
    const { proxy, clock } = this.#options
    const { target, signal } = waiting
    if (signal.aborted) throw aborted(signal)
    const attempt = new AbortController()
    const onAbort = () => attempt.abort(aborted(signal))
    const stopWaiting = clock.after(timeoutMs, () => attempt.abort(tooSlow(proxy)))
    signal.addEventListener('abort', onAbort, { once: true })
    let refusal: PipeError | undefined
    request.once('proxyConnect', ({ statusCode: status, statusText: reason }) => {
      if (status !== 200) refusal = proxyRefusal(proxy, target, { status, reason })
    })
    // The package reads this first.
    this.connectOpts = { ...this.connectOpts, signal: attempt.signal }
    try {
      const socket = await super.connect(request, { ...options, ...identityCheck(target) })
      if (refusal === undefined) return socket
      socket.destroy()
      throw refusal
    } catch (error) {
      const cause: unknown = attempt.signal.aborted ? attempt.signal.reason : error
      throw toPipeError(cause, { target, proxy, isAtProxy: true })
    } finally {
      stopWaiting()
      signal.removeEventListener('abort', onAbort)
    }
  }
}

/** Checks the certificate of a server named by its IP address: the package drops the host, so Node would expect `localhost`. */
function identityCheck({ hostname }: URL): Pick<ConnectionOptions, 'checkServerIdentity'> {
  const address = hostname.replace(/^\[|\]$/g, '')
  if (process.getBuiltinModule('node:net').isIP(address) === 0) return {}
  const { checkServerIdentity } = process.getBuiltinModule('node:tls')
  return { checkServerIdentity: (_, certificate) => checkServerIdentity(address, certificate) }
}

function tooSlow(proxy: HttpProxy): PipeError {
  return new PipeError('timeout', `${describeProxy(proxy)} opened no connection within ${timeoutMs / 1000} s`)
}
