import { PipeError } from '../error.ts'
import { isExempt, isThisMachine } from './no-proxy.ts'

/** A proxy that requests go through. */
export interface HttpProxy {
  /** The URL without credentials, safe to show. */
  readonly url: URL
  /** The `proxy-authorization` header, if the variable holds credentials. */
  readonly authorization?: string
  /** The environment variable that names it. */
  readonly variable: string
}

/** Returns the proxy for a server; `undefined` for a direct connection. Throws `config` if the variable names no proxy. */
export type ProxyFor = (target: URL) => HttpProxy | undefined

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads `https_proxy` or `http_proxy` by the server's scheme, else `all_proxy`, lower case first. Exempts this machine and the
 * hosts of `no_proxy`. Under CGI, ignores `HTTP_PROXY`, which a request header may have set. `undefined` if none is set.
 */
export function readProxies(env: Environment): ProxyFor | undefined {
  const find = (...names: readonly string[]) => names.find((name) => (env[name] ?? '').trim() !== '')
  const isCgi = env['REQUEST_METHOD'] !== undefined
  const everything = find('all_proxy', 'ALL_PROXY')
  const variables: Readonly<Record<string, string | undefined>> = {
    'https:': find('https_proxy', 'HTTPS_PROXY') ?? everything,
    'http:': find('http_proxy', ...(isCgi ? [] : ['HTTP_PROXY'])) ?? everything,
  }
  if (Object.values(variables).every((name) => name === undefined)) return undefined
  const exempt = env[find('no_proxy', 'NO_PROXY') ?? ''] ?? ''
  return (target) => {
    const variable = variables[target.protocol]
    if (variable === undefined || isThisMachine(target.hostname) || isExempt(target, exempt)) return undefined
    return parseProxy(env[variable] ?? '', variable)
  }
}

/** Formats a proxy for messages: `proxy http://host:3128 (HTTPS_PROXY)`. */
export function describeProxy({ url, variable }: HttpProxy): string {
  return `proxy ${url.origin} (${variable})`
}

function parseProxy(value: string, variable: string): HttpProxy {
  const text = value.trim()
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(whole) ? new URL(whole) : undefined
  if (url === undefined || url.hostname === '')
    throw new PipeError('config', `${variable} is not a proxy URL; it should look like http://host:3128`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new PipeError(
      'config',
      `${variable}: ${url.protocol}// proxies are not supported; set an http:// or https:// proxy, or list the hosts to reach directly in NO_PROXY`,
    )
  const { username, password } = url
  const plain = new URL(url.origin)
  if (username === '' && password === '') return { url: plain, variable }
  const credentials = Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')
  return { url: plain, variable, authorization: `Basic ${credentials}` }
}

/** Decodes a part of a URL. Returns it unchanged if it is not encoded. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return part
    throw error
  }
}
