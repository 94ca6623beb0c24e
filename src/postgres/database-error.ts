import { type ErrorCode, isPipeError, PipeError } from '../error.ts'

const diskFull = '53100'

/** The beginnings of the server's codes, and what they mean. The first that fits counts. */
const codes: readonly (readonly [beginning: string, code: ErrorCode, advice: string])[] = [
  ['28', 'config', 'check its user and password (PGPASSWORD and ~/.pgpass count too)'],
  ['3D', 'config', 'create the database, or name another one'],
  ['42501', 'permission', 'let its user create the schema pipe there, or use it'],
  [diskFull, 'invalid', 'free some space there and try again'],
  ['22', 'invalid', ''],
  // The connection, too many of them, a shutdown, a conflict of transactions: another try may succeed.
  ...['08', '53', '57P', '40'].map((beginning) => [beginning, 'network', ''] as const),
]

/** Errors of TLS, which no retry mends. */
const untrusted = /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_)/

/** Errors of the driver, which have no code. */
const lost = /terminated|timeout|not queryable|was closed|Cannot use a pool after/i
const misread = /does not support SSL|Invalid port|password must be a string|SASL/i

/**
 * Translates an error of the driver: `network` if the connection failed or was lost, `config` for a wrong address, user or password,
 * `permission`, `invalid` for a full disk or an unacceptable value, otherwise `internal`. A PipeError passes through.
 */
export function databaseError(error: unknown, shown: string): PipeError {
  if (isPipeError(error)) return error
  const reason = codeOf(error)
  const said = messageOf(error)
  const [code, advice] = judge(reason, said)
  const remedy = advice === '' ? '' : `; ${advice}`
  return new PipeError(code, `cannot use the database ${shown}: ${said}${remedy}`, {
    details: { reason: reason === diskFull ? 'ENOSPC' : reason },
  })
}

function judge(reason: string, said: string): readonly [ErrorCode, string] {
  const known = codes.find(([beginning]) => reason.startsWith(beginning))
  if (known !== undefined) return [known[1], known[2]]
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
  return error instanceof Error ? error.message : String(error)
}

function asRecord(value: unknown): { readonly code?: unknown } {
  return typeof value === 'object' && value !== null ? value : {}
}
