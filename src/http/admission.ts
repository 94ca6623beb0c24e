import type { LookupFunction } from 'node:net'
import { PipeError } from '../error.ts'
import type { HttpRequest } from '../transport.ts'

/** Options for a request that reaches admitted addresses only. */
export interface AdmittedRoute {
  /** A connection of its own: one that is kept may lead to where nobody was asked about. */
  readonly agent: false
  /** Looks a name up once, for the check and for the connection: it cannot mean something else the second time. */
  readonly lookup: LookupFunction
}

/** Throws `permission` where the host is an address that is not admitted; so does the lookup for a name. */
export function admittedRoute(
  { hostname }: URL,
  admit: NonNullable<HttpRequest['admit']>,
  resolve: LookupFunction = process.getBuiltinModule('node:dns').lookup,
): AdmittedRoute {
  const refusal = (address: string) =>
    new PipeError('permission', `${hostname} may not be connected to: its address is ${address}`, {
      details: { address },
    })
  const literal = hostname.replace(/^\[|\]$/g, '')
  const { isIP } = process.getBuiltinModule('node:net')
  // What is no name is never looked up.
  if (isIP(literal) !== 0 && !admit(literal)) throw refusal(literal)
  return {
    agent: false,
    lookup: (name, options, callback) =>
      resolve(name, { ...options, all: true }, (error, found) => {
        const addresses = error !== null || typeof found === 'string' ? [] : found
        const [first] = addresses
        const refused = addresses.find(({ address }) => !admit(address))
        if (error !== null) callback(error, [])
        else if (refused !== undefined) callback(refusal(refused.address), [])
        else if (options.all === true || first === undefined) callback(null, addresses)
        else callback(null, first.address, first.family)
      }),
  }
}
