import type { Clock } from '../../clock.ts'
import type { RemoteToolServer } from '../../machine/tool-server.ts'
import type { Transport } from '../../machine/transport.ts'
import type { CleanText } from '../lists/listed-tool.ts'

/** A sign-in at a server, bound to the authorization server that issued it. */
export interface SignIn {
  readonly issuer: string
  readonly tokenEndpoint: string
  /** Absent: tokens cannot be revoked there. */
  readonly revocationEndpoint?: string
  /** Lists the ways in which clients may identify themselves at these endpoints. Absent: it does not say. */
  readonly authMethods?: readonly string[]
  /** Names the server that the tokens are for, as it does itself. Absent: it does not. */
  readonly resource?: string
  readonly client: SignInClient
  readonly tokens: Tokens
}

/** Who pipe is at an authorization server. */
export interface SignInClient {
  readonly id: string
  /** Only one that the authorization server made up. The one of an entry stays in the entry. */
  readonly secret?: string
  readonly authMethod?: string
}

export interface Tokens {
  readonly access: string
  /** Renews the tokens. Absent: a new sign-in does. */
  readonly refresh?: string
  /** When the access token ends, in ms since 1970. Absent: unknown. */
  readonly expiresAt?: number
  /** The rights that it gives, with blanks between them. Absent: those that were asked for. */
  readonly scope?: string
}

/** Keeps the sign-in at a server. */
export interface KnownServer {
  readonly signIn?: SignIn
  /** Set while the server waits for a sign-in. */
  readonly needs?: {
    /** The rights that the sign-in must ask for. Absent: the server's usual ones. */
    readonly scope?: string
  }
}

/** Keeps sign-ins by the URL of their server, for all processes of the user. */
export interface SignInStore {
  /** Returns what is kept now, also by another process. Throws `config`. */
  read(server: string): Promise<KnownServer>
  /** Changes it while no other process does, and returns it. `{}` forgets the server. Throws what `change` throws, `config`, `conflict`. */
  change(server: string, change: (known: KnownServer) => Promise<KnownServer>): Promise<KnownServer>
}

/** A server to sign in at, and what that needs. */
export interface SignInContext {
  readonly name: string
  /** With its variables in place. */
  readonly server: RemoteToolServer
  readonly store: SignInStore
  readonly transport: Transport
  readonly clock: Clock
  readonly clean: CleanText
}

/** The URL that a server's sign-in is kept by. */
export function signInKey(url: string): string {
  const { href, hash } = new URL(url)
  return hash === '' ? href : href.slice(0, -hash.length)
}

/** Whether the entry of a server says by itself who the user is. */
export function hasOwnAuthorization({ headers }: Pick<RemoteToolServer, 'headers'>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}

/** Says that a server waits for a sign-in, and what to do. */
export function needsSignIn(name: string, scope?: string): string {
  const rights = scope === undefined ? '' : ` for more rights (${scope})`
  return `the MCP server ${name} needs a sign-in${rights}: pipe mcp login ${spelledServer(name)}`
}

/** Writes the name of a server as a word of a command line. */
export function spelledServer(name: string): string {
  return /^[\w.@-]+$/.test(name) ? name : JSON.stringify(name)
}
