import {
  type AuthProvider,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  type FetchLike,
  InsufficientScopeError,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { errorText, PipeError } from '../../error.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { type KnownServer, needsSignIn, type SignInContext, signInKey, type Tokens } from './sign-in.ts'

/** Time in ms before its end at which a token is renewed. */
const earlyMs = 30_000

/** Signs the requests of one connection, with what the user's sign-in brought. Never begins a sign-in itself. */
export class ServerAuth implements AuthProvider {
  readonly #options: SignInContext
  readonly #url: string
  /** The token that each refused request bore. Another request may have had it renewed before the refusal came. */
  readonly #refused = new WeakMap<Response, string>()
  #tokens: Tokens | undefined
  #isRead = false

  constructor(options: SignInContext) {
    this.#options = options
    this.#url = signInKey(options.server.url)
  }

  /** The token of the next request. Throws `auth` if it has ended and cannot be renewed. */
  async token(): Promise<string | undefined> {
    if (!this.#isRead) this.#take(await this.#options.store.read(this.#url))
    const { refresh, expiresAt = Number.POSITIVE_INFINITY } = this.#tokens ?? {}
    const isOld = expiresAt - earlyMs <= this.#options.clock.now()
    if (isOld && refresh !== undefined) await this.#renew()
    return this.#tokens?.access
  }

  /** Sends requests, and remembers the tokens of those that the server refuses. */
  watching(send: FetchLike): FetchLike {
    return async (url, init) => {
      const response = await send(url, init)
      const shown = new Headers(init?.headers).get('authorization')
      if (response.status === 401 && shown !== null)
        this.#refused.set(response, shown.replace(/^Bearer /, ''))
      return response
    }
  }

  /** Renews the token that the server has refused. Throws `auth` if the user must sign in. */
  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    await this.#renew(extractWWWAuthenticateParams(response).scope, this.#refused.get(response))
  }

  /** Returns a failure in the user's words if it is about signing in, and never with a token in it. */
  async explain(error: unknown): Promise<unknown> {
    const { name } = this.#options
    if (error instanceof InsufficientScopeError) {
      const { requiredScope } = error
      await this.#note(requiredScope)
      return new PipeError('auth', needsSignIn(name, requiredScope ?? 'it does not say which'))
    }
    const isRefused = error instanceof SdkHttpError && error.status === 401
    if (isRefused || error instanceof UnauthorizedError) {
      await this.#note(undefined)
      return new PipeError('auth', needsSignIn(name))
    }
    return this.#concealed(error)
  }

  #take({ signIn }: KnownServer): void {
    this.#isRead = true
    this.#tokens = signIn?.tokens
  }

  /** Renews the tokens, unless another request or process has since `used` was sent. */
  async #renew(scope?: string, used = this.#tokens?.access): Promise<void> {
    const { store, name } = this.#options
    const known = await store.change(this.#url, async (now) => {
      if (now.signIn !== undefined && now.signIn.tokens.access !== used) return now
      const { renewed } = await import('./renew.ts')
      return renewed(now, scope, this.#options)
    })
    this.#take(known)
    if (this.#tokens === undefined || this.#tokens.access === used)
      throw new PipeError('auth', needsSignIn(name))
  }

  /** Remembers what the server wants, for the next sign-in. */
  async #note(scope: string | undefined): Promise<void> {
    await this.#options.store.change(this.#url, async (now) => ({
      ...now,
      needs: omitUndefined({ scope: computeScopeUnion(now.needs?.scope, scope) }),
    }))
  }

  #concealed(error: unknown): unknown {
    const secrets = [this.#tokens?.access, this.#tokens?.refresh].filter((one) => one !== undefined)
    const told = errorText(error)
    if (!secrets.some((one) => told.includes(one))) return error
    return new Error(secrets.reduce((text, one) => text.replaceAll(one, '[redacted]'), told))
  }
}
