import { PipeError } from '../error.ts'

/** The address of a database. */
export interface DatabaseAddress {
  /** The address for the driver. May hold the password. */
  readonly url: string
  /** The same for people: user, host and database. */
  readonly shown: string
}

/** TLS modes by which the driver warns that it checks certificates, although their names promise less. */
const vagueModes = ['prefer', 'require', 'verify-ca']

/** Reads the URL of a database. Throws `config`, without the text: it may hold a password. */
export function readDatabaseUrl(text: string): DatabaseAddress {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text))
    throw new PipeError(
      'config',
      'a database must be a URL such as postgres://user@host:5432/database (tasks.store, memory.store or PIPE_DATABASE_URL)',
    )
  const url = new URL(text)
  const { protocol, username, host, pathname, searchParams } = url
  if (vagueModes.includes(searchParams.get('sslmode') ?? '') && !searchParams.has('uselibpqcompat'))
    searchParams.set('sslmode', 'verify-full')
  const user = username === '' ? '' : `${username}@`
  return { url: url.href, shown: `${protocol}//${user}${host}${pathname}` }
}
