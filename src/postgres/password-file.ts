import { isPipeError, PipeError } from '../error.ts'
import { isOpenToOthers } from '../files/mode.ts'
import { readIfThere } from '../files/reading/read-if-there.ts'

export interface PasswordWanted {
  /** A name, an address, or the folder of a socket. */
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  /** The address without a password. */
  readonly shown: string
}

/**
 * Finds a password in a file of lines `host:port:database:user:password`, where `*` stands for anything and `\` goes before a `:` or `\`.
 * The first line that fits counts. Throws `config` if there is none, or if others may read the file.
 */
export async function findPassword(path: string, wanted: PasswordWanted): Promise<string> {
  const found = passwordIn(readPrivately(path), wanted)
  if (found !== undefined) return found
  const { shown } = wanted
  throw new PipeError('config', `${shown} requires a password: add a line to ${path}, or set PGPASSWORD`)
}

/** Returns an empty text for a file that is missing. */
function readPrivately(path: string): string {
  if (process.platform !== 'win32' && isOpenToOthers(path))
    throw new PipeError(
      'config',
      `${path} may be read by others, so its passwords are not used: chmod 600 ${path}`,
    )
  try {
    return readIfThere(path)?.toString('utf8') ?? ''
  } catch (error) {
    if (!isPipeError(error)) throw error
    throw new PipeError('config', `cannot read the passwords of databases: ${error.message}`)
  }
}

function passwordIn(text: string, { host, port, database, user }: PasswordWanted): string | undefined {
  // A server behind a socket is called localhost there.
  const hosts = host.startsWith('/') ? [host, 'localhost'] : [host]
  const wanted = [hosts, [String(port)], [database], [user]]
  for (const line of text.split(/\r?\n/)) {
    const fields = fieldsOf(line)
    const fits = wanted.every((names, i) => ['*', ...names].includes(fields[i] ?? ''))
    if (fits && !line.startsWith('#')) return fields[4]
  }
  return undefined
}

/** Splits at each `:` without a `\` before it. The fifth field is the password, and the rest is left out. */
function fieldsOf(line: string): readonly string[] {
  const fields = line.match(/(?<=^|:)(?:\\.|[^\\:]|\\$)*/g) ?? []
  return fields.map((field) => field.replace(/\\(.)/g, '$1'))
}
