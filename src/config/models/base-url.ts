import type { Dialect } from '../../machine/model-server.ts'
import type { ServerRow } from './servers.ts'

/** Version suffixes that users write and that the dialect's own paths repeat. They are cut off. */
const versions: Readonly<Record<Dialect, RegExp | undefined>> = {
  anthropic: /(?<!\/)\/v1$/,
  gemini: /(?<!\/)\/v1(beta)?$/,
  ollama: /(?<!\/)\/(v1|api)$/,
  'openai-chat': undefined,
  'openai-responses': undefined,
}

/**
 * Normalises a base URL for a dialect: cuts trailing slashes and the version suffix, adds `apiPath` to a bare host, keeps the
 * query. Returns `undefined` if the text is not an http or https URL.
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

/** Maps addresses to listen on to loopback addresses to connect to. */
const local: Readonly<Record<string, string>> = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }

/**
 * Turns `host`, `host:port`, `:port` or an IPv6 address into a URL. A URL keeps its scheme's port. Other text is returned as it
 * is.
 */
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
