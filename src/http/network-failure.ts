import { type ErrorCode, errorText, isPipeError, PipeError } from '../error.ts'
import { describeProxy, type HttpProxy } from './proxy.ts'

interface Explanation {
  readonly code: ErrorCode
  readonly reason: string
  /** Retrying cannot help. */
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
  ETIMEDOUT: { code: 'network', reason: 'did not answer the connection attempt' },
  Z_BUF_ERROR: closed,
  Z_DATA_ERROR: {
    code: 'protocol',
    reason: 'marks its answer as compressed, but it is not',
    lasting: true,
  },
  CERT_HAS_EXPIRED: {
    code: 'network',
    reason: 'has a certificate that has expired; check the clock of this machine',
    lasting: true,
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    code: 'network',
    reason: 'has a certificate for another name; check the URL',
    lasting: true,
  },
  EPROTO: { code: 'network', reason: 'does not speak TLS; check https:// in the URL', lasting: true },
}

const untrusted: Explanation = {
  code: 'network',
  reason:
    'has a certificate that is not trusted; name the file of its authority as "ca_file" in config.json, or in SSL_CERT_FILE',
  lasting: true,
}
const notHttp: Explanation = {
  code: 'protocol',
  reason: 'does not answer in HTTP; check the URL',
  lasting: true,
}

/** The path to a server, for error messages. */
export interface Way {
  readonly target: URL
  /** The proxy in between, if any. */
  readonly proxy?: HttpProxy
  /** Whether the connection goes to the proxy, so that the proxy is at fault if it fails. */
  readonly isAtProxy?: boolean
}

/** Whether the server closed the connection before it answered. */
export function isClosedByServer(error: unknown): boolean {
  const name = errorCode(error)
  return name === 'ECONNRESET' || name === 'EPIPE'
}

/** Explains a network failure, naming the host, its port and the way to it. Passes a PipeError through unchanged. */
export function toPipeError(error: unknown, { target, proxy, isAtProxy }: Way): PipeError {
  if (isPipeError(error)) return error
  const name = errorCode(error)
  const { code, reason, lasting } = explain(name) ?? {
    code: 'network',
    reason: `failed: ${errorText(error)}`,
  }
  const at = isAtProxy === true ? proxy : undefined
  const details = {
    ...(lasting === true ? { should_retry: 'false' } : {}),
    ...(unknownIssuers.includes(name) ? { untrusted: (at?.url ?? target).host } : {}),
  }
  const port = target.port || (target.protocol === 'https:' ? '443' : '80')
  const host = `${target.hostname}:${port}`
  const way = proxy === undefined ? 'directly' : `through ${describeProxy(proxy)}`
  const [who, how] = at === undefined ? [host, way] : [describeProxy(at), `on the way to ${host}`]
  const facts = [name, how].filter((fact) => fact !== '').join(', ')
  return new PipeError(code, `${who} ${reason} (${facts})`, { cause: error, details })
}

/** TLS error codes for a certificate from an unknown authority. Other authorities may still vouch for it. */
const unknownIssuers = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]

/** Returns the error of a request that Node refuses to build: keys from files often end in a line break. */
export function unsendable(error: unknown, target: URL): PipeError {
  return new PipeError(
    'config',
    `a request to ${target.host} cannot be sent: ${errorText(error)}; check the key and the headers`,
    { cause: error },
  )
}

function explain(name: string): Explanation | undefined {
  if (name.startsWith('HPE_')) return notHttp
  if (explanations[name] !== undefined) return explanations[name]
  return name.includes('CERT') || name.startsWith('UNABLE_TO_') ? untrusted : undefined
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
