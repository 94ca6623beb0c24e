import type { LookupFunction } from 'node:net'
import { isPipeError, PipeError } from '../error.ts'
import type { HttpRequest } from '../machine/transport.ts'

/** Options for a request that reaches admitted addresses only. */
export interface AdmittedRoute {
  /** Opens a new connection: a reused one may lead to an unchecked address. */
  readonly agent: false
  /** Looks a name up once for both check and connection, so that a second answer cannot differ. */
  readonly lookup: LookupFunction
}

/**
 * Checks a host that a proxy resolves. Throws `permission` for a private network name, or if a locally known address is not
 * admitted. Leaves names that only the proxy can resolve to the proxy.
 */
export async function admitName(
  target: URL,
  admit: NonNullable<HttpRequest['admit']>,
  resolve?: LookupFunction,
): Promise<void> {
  const { lookup } = admittedRoute(target, admit, resolve)
  const name = target.hostname.replace(/^\[|\]$/g, '')
  const error = await new Promise<Error | null>((done) => lookup(name, { all: true }, done))
  if (isPipeError(error)) throw error
  if (error === null || !isPrivateName(name) || admit(name)) return
  throw new PipeError('permission', `${name} must not be contacted: it is a private network name`)
}

/** Names with no meaning on the public internet (RFC 6761, 6762, 8375, ICANN). A proxy may still resolve them. */
function isPrivateName(name: string): boolean {
  return !name.includes('.') || /\.(localhost|local|internal|intranet|lan|home|corp|arpa)\.?$/i.test(name)
}

function refused({ hostname }: URL, address: string): PipeError {
  return new PipeError('permission', `${hostname} must not be contacted: its address is ${address}`, {
    details: { address },
  })
}

/** Throws `permission` if the host is an address that is not admitted. The lookup does the same for a name. */
export function admittedRoute(
  target: URL,
  admit: NonNullable<HttpRequest['admit']>,
  resolve: LookupFunction = process.getBuiltinModule('node:dns').lookup,
): AdmittedRoute {
  const literal = target.hostname.replace(/^\[|\]$/g, '')
  const { isIP } = process.getBuiltinModule('node:net')
  // Node does not look up a literal address.
  if (isIP(literal) !== 0 && !admit(literal)) throw refused(target, literal)
  return {
    agent: false,
    lookup: (name, options, callback) =>
      resolve(name, { ...options, all: true }, (error, found) => {
        const addresses = error !== null || typeof found === 'string' ? [] : found
        const [first] = addresses
        const rejected = addresses.find(({ address }) => !admit(address))
        if (error !== null) callback(error, [])
        else if (rejected !== undefined) callback(refused(target, rejected.address), [])
        else if (options.all === true || first === undefined) callback(null, addresses)
        else callback(null, first.address, first.family)
      }),
  }
}
