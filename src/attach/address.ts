import { isAbsolute } from 'node:path'
import { PipeError } from '../error.ts'

/** The address of a server, with the token and the session in it. */
export interface ServerAddress {
  /** Precedes the paths of its API: `http://HOST:PORT`, with the path of a proxy if there is one; for a socket, a placeholder host. */
  readonly base: string
  /** The Unix socket that it listens on. */
  readonly socketPath?: string
  readonly token?: string | undefined
  readonly sessionId?: string | undefined
}

/**
 * Reads the address of a server: `http://HOST:PORT/`, with `/sessions/ID` for one of its sessions and `#token=TOKEN` as `pipe serve`
 * prints it; that of a session in the browser; or `unix:PATH`. `undefined` for a text that is no address. Throws `usage`.
 */
export function readAddress(text: string): ServerAddress | undefined {
  if (text.startsWith('unix:')) return readSocket(text)
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new PipeError(
      'usage',
      'not the address of a server, which looks like http://HOST:PORT/#token=… or unix:PATH',
    )
  if (url.username !== '' || url.password !== '')
    throw new PipeError(
      'usage',
      'the address of a server has no user or password: its token goes after #token=',
    )
  const { prefix, sessionId } = readPath(url)
  return {
    base: `${url.origin}${prefix}`,
    token: tokenIn(url.hash),
    sessionId,
  }
}

/** Names a server for the user, without its token. */
export function serverName({ base, socketPath }: ServerAddress): string {
  if (socketPath !== undefined) return socketPath
  const { host, pathname } = new URL(base)
  return pathname === '/' ? host : `${host}${pathname}`
}

/** Whether only processes of this machine reach the server. */
export function isLocal({ base, socketPath }: ServerAddress): boolean {
  if (socketPath !== undefined) return true
  const { hostname } = new URL(base)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

/** Whether what is sent to the server can be read on the way. */
export function isReadable(address: ServerAddress): boolean {
  return new URL(address.base).protocol === 'http:' && !isLocal(address)
}

function readSocket(text: string): ServerAddress {
  const [, path = '', sessionId, fragment = ''] =
    /^unix:([^#]*?)(?:\/sessions\/([^/#]+))?(#.*)?$/.exec(text) ?? []
  if (!isAbsolute(path))
    throw new PipeError('usage', `the path of a socket must be absolute, not ${JSON.stringify(path)}`)
  return {
    base: 'http://localhost',
    socketPath: path,
    token: tokenIn(fragment),
    sessionId,
  }
}

function tokenIn(fragment: string): string | undefined {
  return new URLSearchParams(fragment.slice(1)).get('token') || undefined
}

/** Divides a path into the prefix of a proxy, and a session. */
function readPath({ pathname, hash }: URL): {
  readonly prefix: string
  readonly sessionId: string | undefined
} {
  const [, prefix = '', sessionId] = /^(.*?)(?:\/sessions\/([^/]+)|\/v1)?\/*$/.exec(pathname) ?? []
  return { prefix, sessionId: sessionId ?? /^#\/session\/([\w.-]+)$/.exec(hash)?.[1] }
}
