import type { Agent, RequestOptions } from 'node:http'
import type { SecureContext } from 'node:tls'
import type { Clock } from '../clock.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Way } from './network-failure.ts'
import type { HttpProxy } from './proxy.ts'
import type { Trust } from './trusted-authorities.ts'
import type { TunnelAgent } from './tunnel.ts'

/** The path of one request to its server. */
export interface RequestRoute {
  /** The client that sends it: for `http:` or for `https:`. */
  readonly protocol: string
  readonly options: RequestOptions & { readonly secureContext?: SecureContext; readonly servername?: string }
  /** Headers for the connected host. */
  readonly headers: Readonly<Record<string, string>>
  readonly way: Way
  /** Opens tunnels for its requests, if it uses any. */
  readonly tunnels?: TunnelAgent
}

/** Keeps a transport's connections alive by destination until `close`. */
export class Routes {
  readonly #trust: Trust | undefined
  readonly #socketPath: string | undefined
  readonly #agents = new Map<string, Agent>()
  readonly #tunnels = new Map<string, TunnelAgent>()

  /** `socketPath`: the Unix socket of all direct connections. */
  constructor(trust: Trust | undefined, socketPath?: string) {
    this.#trust = trust
    this.#socketPath = socketPath
  }

  async direct(target: URL): Promise<RequestRoute> {
    const { protocol } = target
    return {
      protocol,
      options: {
        agent: this.#agent(protocol),
        ...omitUndefined({ socketPath: this.#socketPath }),
        ...(await this.#secure(target)),
      },
      headers: {},
      way: { target },
    }
  }

  /** Goes through a proxy: tunnels TLS, and otherwise sends the proxy a request with the full address. */
  async through(proxy: HttpProxy, target: URL, clock: Clock): Promise<RequestRoute> {
    const way = { target, proxy }
    if (target.protocol === 'https:') {
      const tunnels = await this.#tunnel(proxy, clock)
      const options = { agent: tunnels, ...(await this.#secure(target)) }
      return { protocol: 'https:', options, headers: {}, way, tunnels }
    }
    const { protocol, port } = proxy.url
    const hostname = proxy.url.hostname.replace(/^\[|\]$/g, '')
    return {
      protocol,
      options: {
        agent: this.#agent(protocol),
        protocol,
        hostname,
        port,
        // Without it, Node expects the certificate of the server in the `host` header.
        servername: process.getBuiltinModule('node:net').isIP(hostname) === 0 ? hostname : '',
        path: `${target.origin}${target.pathname}${target.search}`,
        ...(await this.#secure(proxy.url)),
      },
      headers: {
        host: target.host,
        ...(proxy.authorization === undefined ? {} : { 'proxy-authorization': proxy.authorization }),
      },
      way: { ...way, isAtProxy: true },
    }
  }

  close(): void {
    for (const agent of [...this.#agents.values(), ...this.#tunnels.values()]) agent.destroy()
    this.#agents.clear()
    this.#tunnels.clear()
  }

  #agent(protocol: string): Agent {
    const agent = this.#agents.get(protocol) ?? new (loadClient(protocol).Agent)({ keepAlive: true })
    this.#agents.set(protocol, agent)
    return agent
  }

  async #tunnel(proxy: HttpProxy, clock: Clock): Promise<TunnelAgent> {
    const { TunnelAgent } = await import('./tunnel.ts')
    const secure = await this.#secure(proxy.url)
    const key = `${proxy.url.origin} ${'secureContext' in secure}`
    const tunnel = this.#tunnels.get(key) ?? new TunnelAgent({ proxy, clock, ...secure })
    this.#tunnels.set(key, tunnel)
    return tunnel
  }

  async #secure({ protocol, host }: URL): Promise<{ readonly secureContext?: SecureContext }> {
    const context = protocol === 'https:' ? await this.#trust?.contextFor(host) : undefined
    return context === undefined ? {} : { secureContext: context }
  }
}

export function loadClient(protocol: string) {
  return process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http')
}
