import type { Dialect } from '../server.ts'
import type { ServerRow } from './servers.ts'

/** Ends of a base URL that name what the dialect's own paths begin with: people write them, and they mean the host. */
const versions: Readonly<Record<Dialect, RegExp | undefined>> = {
  anthropic: /(?<!\/)\/v1$/,
  gemini: /(?<!\/)\/v1(beta)?$/,
  ollama: /(?<!\/)\/(v1|api)$/,
  'openai-chat': undefined,
  'openai-responses': undefined,
}

/**
 * A base URL as a server of this dialect wants it, whatever people write: without slashes at its end, without the version where
 * the dialect's paths have it, with the row's `apiPath` where it is nothing but a host; the query stays. `undefined` for what is
 * no http or https address.
 */
export function readBaseUrl(
  text: string,
  dialect: Dialect,
  { apiPath = '', defaultPort }: Pick<ServerRow, 'apiPath' | 'defaultPort'> = {},
): string | undefined {
  const url = defaultPort === undefined ? text.trim() : hostUrl(text.trim(), defaultPort)
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined
  const [, address = '', query = ''] = /^([^?#]*)(\?[^#]*)?/.exec(url) ?? []
  const bare = address.replace(/\/+$/, '')
  const version = versions[dialect]
  if (version !== undefined) return bare.replace(version, '') + query
  return bare + (/^https?:\/\/[^/]+$/i.test(bare) ? apiPath : '') + query
}

/** An address to listen on is reached through this machine's own. */
const local: Readonly<Record<string, string>> = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }

/** `host`, `host:port`, `:port`, an IPv6 address or a URL as a URL; a URL has the port of its scheme. Other text stays. */
function hostUrl(text: string, defaultPort: number): string {
  if (/^(?!https?:)\w+:\/\//i.test(text)) return text
  const [, scheme, authority = '', rest = ''] = /^(?:(https?):\/\/)?([^/?#]*)(.*)$/i.exec(text) ?? []
  const bracketed = /^[^[]*:[^[]*:/.test(authority) ? `[${authority}]` : authority
  const parts = /^(\[[^\]]*\]|[^:[\]]*)(?::(\d*))?$/.exec(bracketed)
  if (parts === null) return text
  const [, host = '', port] = parts
  const number = port || (scheme === undefined ? String(defaultPort) : '')
  return `${scheme ?? 'http'}://${local[host] ?? host}${number === '' ? '' : `:${number}`}${rest}`
}
