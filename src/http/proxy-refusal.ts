import { PipeError } from '../error.ts'
import { describeProxy, type HttpProxy } from './proxy.ts'

/** Headers, or words in `server`, with which proxies mark an error as their own. */
const marks =
  /^(?:x-squid-error|x-proxy-error|x-tinyproxy|x-bluecoat|x-zscaler|x-mwg|x-iwss|x-forcepoint|x-privoxy)/
const programs = /squid|tinyproxy|privoxy|bluecoat|zscaler|swg|websense/i

/** Whether an answer over plain HTTP is an error of the proxy itself, and not of the server behind it. */
export function isOfProxy(status: number, headers: Readonly<Record<string, string>>): boolean {
  if (status === 407) return true
  if (status < 400) return false
  const { server = '', 'proxy-status': state = '' } = headers
  return (
    /;\s*error=/.test(state) || programs.test(server) || Object.keys(headers).some((name) => marks.test(name))
  )
}

/** Returns the error of a proxy that refuses a request: `config` if it wants other credentials, else `network`. */
export function proxyRefusal(
  proxy: HttpProxy,
  target: URL,
  { status, reason }: { readonly status: number; readonly reason: string },
): PipeError {
  const name = describeProxy(proxy)
  const details = { status: String(status) }
  if (status === 407) {
    const what = proxy.authorization === undefined ? 'asks for credentials' : 'did not accept the credentials'
    const form = `${proxy.url.protocol}//USER:PASSWORD@${proxy.url.host}`
    return new PipeError('config', `${name} ${what} (407); set ${proxy.variable} to ${form}`, { details })
  }
  const words = [String(status), reason.replace(/\p{Cc}+/gu, ' ').slice(0, 100)].join(' ').trim()
  const host = `${target.hostname}:${target.port || (target.protocol === 'https:' ? '443' : '80')}`
  return status >= 500
    ? new PipeError('network', `${name} could not connect to ${host} (${words})`, { details })
    : new PipeError('network', `${name} refused to connect to ${host} (${words})`, {
        details: { ...details, should_retry: 'false' },
      })
}
