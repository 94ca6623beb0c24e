import { type ErrorCode, errorText, isPipeError, PipeError } from '../error.ts'

const diskFull = '53100'
const readOnly = '25006'

/** Advice for a pooler with too few connections. */
export const poolerAdvice = 'a worker needs 3 connections of a session pooler'

/** The beginnings of the server's codes, and what they mean. The first that fits counts. */
const codes: readonly (readonly [beginning: string, code: ErrorCode, advice: string])[] = [
  ['28', 'config', 'check its user and password (PGPASSWORD and ~/.pgpass count too)'],
  ['3D', 'config', 'create the database, or name another one'],
  ['42501', 'config', 'let its user create the schema pipe there, or use it and its tables'],
  [readOnly, 'config', 'this server is read-only: name the one that takes writes'],
  [diskFull, 'invalid', 'free some space there and try again'],
  ['22', 'invalid', ''],
  // The connection, too many of them, a shutdown, a conflict of transactions: another try may succeed.
  ...['08', '53', '57P', '40'].map((beginning) => [beginning, 'network', ''] as const),
]

/** The messages of servers and poolers, whatever their code. */
const sayings: readonly (readonly [said: RegExp, code: ErrorCode, advice: string])[] = [
  [
    // The server, older ones, PgBouncer, hosted ones.
    /no encryption|SSL off|SSL required|SSL connection is required|connection is insecure/,
    'config',
    'it requires TLS: add ?sslmode=require to the URL',
  ],
  [/does not support SSL/, 'config', 'remove sslmode from the URL, or turn TLS on there'],
  [/statement pooling mode/, 'config', 'connect to the server itself, or use session pooling'],
  [/query_wait_timeout|Query read timeout/, 'network', `if a pooler is between: ${poolerAdvice}`],
]

/** Errors of TLS, which no retry mends. */
const untrusted = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_)/

/** Errors of the driver, which have no code. */
const lost = /terminated|timeout|not queryable|was closed|Cannot use a pool after/i
const misread = /Invalid port|password must be a string|SASL/i

export interface DatabaseErrorOptions {
  /** The address without the password. */
  readonly shown: string
  /** Whether a server was met that writes: one that only reads is a fail-over then, which passes. */
  readonly wasWritable?: boolean
}

/**
 * Translates an error of the driver: `network` if the connection failed or was lost, `config` for a wrong address, user or password, for
 * missing rights and for a server that only reads, `invalid` for a full disk or an unacceptable value, otherwise `internal`. A PipeError
 * passes through.
 */
export function databaseError(
  error: unknown,
  { shown, wasWritable = false }: DatabaseErrorOptions,
): PipeError {
  if (isPipeError(error)) return error
  const reason = codeOf(error)
  const said = messageOf(error)
  const [code, advice] = judge(reason, said)
  const remedy = advice === '' ? '' : `; ${advice}`
  const passes = reason === readOnly && wasWritable
  return new PipeError(passes ? 'network' : code, `cannot use the database ${shown}: ${said}${remedy}`, {
    details: { reason: reason === diskFull ? 'ENOSPC' : reason },
  })
}

/** Whether a server refused what only one that writes can do. */
export function isReadOnly(error: unknown): boolean {
  return isPipeError(error) && error.details['reason'] === readOnly
}

/** The error of a server that only reads, as it would refuse a write. */
export function readOnlyRefusal(): Error {
  return Object.assign(new Error('writes are refused'), { code: readOnly })
}

/** Whether a pooler refused a transaction, because it shares its connections by statement. */
export function isPooledByStatement(error: unknown): boolean {
  return isPipeError(error) && error.message.includes('statement pooling mode')
}

function judge(reason: string, said: string): readonly [ErrorCode, string] {
  const saying = sayings.find(([pattern]) => pattern.test(said))
  if (saying !== undefined) return [saying[1], saying[2]]
  const known = codes.find(([beginning]) => reason.startsWith(beginning))
  if (known !== undefined) return [known[1], known[2]]
  if (reason === 'ERR_TLS_CERT_ALTNAME_INVALID') return ['config', 'use a name that its certificate has']
  if (untrusted.test(reason)) return ['config', 'trust its certificate with sslrootcert=FILE in the URL']
  if (/^E[A-Z]/.test(reason) || lost.test(said)) return ['network', '']
  return misread.test(said) ? ['config', 'check its URL, user and password'] : ['internal', '']
}

function codeOf(error: unknown): string {
  const { code } = asRecord(error)
  return typeof code === 'string' ? code : ''
}

/** A host with several addresses fails with an error for each. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ')
  return errorText(error)
}

function asRecord(value: unknown): { readonly code?: unknown } {
  return typeof value === 'object' && value !== null ? value : {}
}
