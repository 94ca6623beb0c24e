import { type ErrorCode, isPipeError, PipeError } from '../error.ts'

interface Explanation {
  readonly code: ErrorCode
  readonly reason: string
  /** Asking again will not help. */
  readonly lasting?: true
}

const closed: Explanation = {
  code: 'network',
  reason: 'closed the connection before its answer was complete',
}
const unknownHost: Explanation = {
  code: 'network',
  reason: 'cannot be found; check the URL and the network',
}
const unreachable: Explanation = { code: 'network', reason: 'cannot be reached; check the network' }

const explanations: Readonly<Record<string, Explanation>> = {
  ECONNREFUSED: {
    code: 'network',
    reason: 'refused the connection; check that a server runs there and that the URL is right',
  },
  ECONNRESET: closed,
  EPIPE: closed,
  ERR_STREAM_PREMATURE_CLOSE: closed,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: { code: 'network', reason: 'did not answer the connection' },
  Z_BUF_ERROR: closed,
  Z_DATA_ERROR: {
    code: 'protocol',
    reason: 'says that its answer is compressed, and it is not',
    lasting: true,
  },
  EPROTO: { code: 'network', reason: 'does not speak TLS; check https:// in the URL', lasting: true },
}

const untrusted: Explanation = {
  code: 'network',
  reason:
    'has a certificate that is not trusted; NODE_EXTRA_CA_CERTS can name a file with the authority of your own',
  lasting: true,
}
const foreign: Explanation = {
  code: 'protocol',
  reason: 'does not answer in HTTP; check the URL',
  lasting: true,
}

/** What the network's failures mean to the reader, the host and port named. A PipeError goes through unchanged. */
export function toPipeError(error: unknown, target: URL): PipeError {
  if (isPipeError(error)) return error
  const name = errorCode(error)
  const { code, reason, lasting } = explain(name) ?? {
    code: 'network',
    reason: `failed: ${messageOf(error)}`,
  }
  const details = lasting === true ? { should_retry: 'false' } : {}
  const port = target.port || (target.protocol === 'https:' ? '443' : '80')
  const word = name === '' ? '' : ` (${name})`
  return new PipeError(code, `${target.hostname}:${port} ${reason}${word}`, { cause: error, details })
}

/** A request that Node refuses to build: a header with a line break, as keys from files often have. */
export function unsendable(error: unknown, target: URL): PipeError {
  return new PipeError(
    'config',
    `a request to ${target.host} cannot be sent: ${messageOf(error)}; check the key and the headers`,
    { cause: error },
  )
}

function explain(name: string): Explanation | undefined {
  if (name.startsWith('HPE_')) return foreign
  if (name.includes('CERT') || name.startsWith('UNABLE_TO_')) return untrusted
  return explanations[name]
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
