import type { SecureContext } from 'node:tls'
import { errorText, PipeError } from '../error.ts'

/** Reads authority certificates as PEM texts, each with one or more. */
export type ReadAuthorities = () => Promise<readonly string[]>

/**
 * Authorities besides Node's own. Reads them only if Node's do not vouch for a server, as reading is too slow for most starts.
 */
export class Trust {
  readonly #read: ReadAuthorities
  readonly #wide = new Set<string>()
  #context: Promise<SecureContext | undefined> | undefined

  constructor(read: ReadAuthorities) {
    this.#read = read
  }

  /** Returns the context for connections to this host (`host:port`); `undefined` if Node's own is enough. */
  async contextFor(host: string): Promise<SecureContext | undefined> {
    return this.#wide.has(host) ? await this.#open() : undefined
  }

  /** Uses the other authorities for this host from now on. Returns false if there are none or they are already in use. */
  async widen(host: string): Promise<boolean> {
    if (this.#wide.has(host) || (await this.#open()) === undefined) return false
    this.#wide.add(host)
    return true
  }

  #open(): Promise<SecureContext | undefined> {
    this.#context ??= this.#create()
    return this.#context
  }

  async #create(): Promise<SecureContext | undefined> {
    const { createSecureContext, rootCertificates } = process.getBuiltinModule('node:tls')
    const known = new Set(rootCertificates.map(withoutBlanks))
    const found = new Map(
      (await this.#read()).flatMap(splitCertificates).map((one) => [withoutBlanks(one), one]),
    )
    const others = [...found].flatMap(([key, one]) => (known.has(key) ? [] : [one]))
    if (others.length === 0) return undefined
    try {
      // Chains that end at Node's authorities were already tried, unless one of these is a link in the chain.
      return createSecureContext({ ca: others.every(isRoot) ? others : [...rootCertificates, ...others] })
    } catch (error) {
      const reason = errorText(error)
      throw new PipeError('config', `the authority certificates cannot be read: ${reason}`, {
        cause: error,
      })
    }
  }
}

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

function splitCertificates(text: string): readonly string[] {
  return text.match(certificate) ?? []
}

function isRoot(text: string): boolean {
  const { X509Certificate } = process.getBuiltinModule('node:crypto')
  const { subject, issuer } = new X509Certificate(text)
  return subject === issuer
}

function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '')
}
