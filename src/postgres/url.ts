import { PipeError } from '../error.ts'

/** The address of a database. */
export interface DatabaseAddress {
  /** The address for the driver. May hold the password. */
  readonly url: string
  /** The same for people: user, host or folder of the socket, and database. */
  readonly shown: string
}

/** TLS modes of the driver. It checks certificates in all of the first, and warns if the name promises less. */
const checkingModes = ['prefer', 'require', 'verify-ca', 'verify-full']
const modes = [...checkingModes, 'disable', 'no-verify']

/** Reads the URL of a database. Throws `config`, without the text: it may hold a password. */
export function readDatabaseUrl(text: string): DatabaseAddress {
  const url = parse(text)
  const { protocol, username, host, pathname, searchParams } = url
  const mode = searchParams.get('sslmode')
  if (mode !== null && !modes.includes(mode))
    throw refused(`cannot have this sslmode; there are ${modes.join(', ')}`)
  if (mode !== null && checkingModes.includes(mode) && !searchParams.has('uselibpqcompat'))
    searchParams.set('sslmode', 'verify-full')
  const user = searchParams.get('user') ?? decode(username)
  const socket = searchParams.get('host')
  const at = user === '' ? '' : `${user}@`
  const behind = socket === null ? '' : `?host=${socket}`
  return { url: url.href, shown: `${protocol}//${at}${host}${pathname}${behind}` }
}

function parse(text: string): URL {
  const [, scheme, authority, rest] = /^(postgres(?:ql)?:\/\/)([^/?#]*)(.*)$/s.exec(text) ?? []
  if (scheme === undefined || authority === undefined || rest === undefined)
    throw refused('must be a URL such as postgres://user@host:5432/database')
  const place = authority.slice(authority.lastIndexOf('@') + 1)
  const login = authority.slice(0, -place.length || undefined).replace(/@$/, '')
  if (place.includes(',') || hasSeveralHosts(rest))
    throw refused('can have only one host: name the server that takes writes, or a proxy that follows it')
  // A URL has no user without a host, as before a socket: the driver takes it from the query too.
  const bare = place === '' && login !== '' ? withLogin(`${scheme}${rest}`, login) : text
  if (bare !== undefined && URL.canParse(bare)) return new URL(bare)
  throw refused('must be a URL such as postgres://user@host:5432/database')
}

function hasSeveralHosts(rest: string): boolean {
  const query = new URLSearchParams(rest.slice(rest.indexOf('?') + 1))
  return rest.includes('?') && (query.get('host') ?? '').includes(',')
}

function withLogin(text: string, login: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const [user = '', ...password] = login.split(':')
  url.searchParams.set('user', decode(user))
  if (password.length > 0) url.searchParams.set('password', decode(password.join(':')))
  return url.href
}

/** Leaves a text with a bad escape as it is. */
function decode(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString(),
  )
}

function refused(reason: string): PipeError {
  return new PipeError(
    'config',
    `the address of a database (tasks.store, memory.store or PIPE_DATABASE_URL) ${reason}`,
  )
}
