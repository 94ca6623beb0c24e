import {
  computeScopeUnion,
  exchangeAuthorization,
  type OAuthTokens,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client'
import type { Clock } from '../../clock.ts'
import { PipeError } from '../../error.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { type AuthorizationServer, findAuthorizationServer } from './authorization-server.ts'
import { identify, spellClient, withSecret } from './client-identity.ts'
import { requireSecure, secureFetch } from './secure-fetch.ts'
import { type KnownServer, type SignIn, type SignInContext, signInKey, type Tokens } from './sign-in.ts'
import { explained } from './sign-in-failure.ts'

export interface SignInRequest extends SignInContext {
  /** Where the browser is sent back to. */
  readonly redirectUri: string
  /** Cannot be guessed, and new for each sign-in. */
  readonly state: string
}

/** A sign-in that waits for the user. */
export interface PendingSignIn {
  /** The page to sign in at. */
  readonly address: string
  readonly issuer: string
  /** Whether these words of the browser answer this sign-in. */
  isAnswer(answer: URLSearchParams): boolean
  /** Trades the answer of the browser for tokens, and keeps them. Throws `auth`. */
  finish(answer: URLSearchParams): Promise<void>
}

/** Begins to sign in at a server. Throws `auth`, `input` if it asks for no sign-in, and as the transport does. */
export async function beginSignIn(options: SignInRequest): Promise<PendingSignIn> {
  return explained(options, async () => {
    const { name, server, store, redirectUri, state } = options
    const { oauth = {} } = server
    const url = signInKey(server.url)
    requireSecure(url, url)
    const fetch = secureFetch(url, options)
    const found = await findAuthorizationServer(url, name, fetch)
    const scope = wantedScope(found, oauth.scopes, await store.read(url))
    const kept = await identify(found, oauth, { redirectUri, fetch, ...omitUndefined({ scope }) })
    const client = withSecret(kept, oauth)
    const { issuer, metadata, resource } = found
    const started = await startAuthorization(issuer, {
      ...omitUndefined({ metadata, scope, resource }),
      clientInformation: spellClient(client),
      redirectUrl: redirectUri,
      state,
    })
    requireSecure(started.authorizationUrl.href, url)
    const isAnswer = (answer: URLSearchParams) => answer.get('state') === state
    return {
      address: started.authorizationUrl.href,
      issuer,
      isAnswer,
      finish: (answer) =>
        explained(options, async () => {
          if (!isAnswer(answer)) throw new PipeError('auth', 'the answer belongs to another sign-in')
          const code = readCode(answer, found)
          const given = await exchangeAuthorization(issuer, {
            ...omitUndefined({ metadata, resource, iss: answer.get('iss') ?? undefined }),
            clientInformation: spellClient(client),
            authorizationCode: code,
            codeVerifier: started.codeVerifier,
            redirectUri,
            fetchFn: fetch,
          })
          const tokens = readTokens(given, options.clock, scope)
          await store.change(url, async () => ({ signIn: signInOf(found, kept, tokens) }))
        }),
    }
  })
}

/** Reads tokens as an authorization server gives them. `asked` is what they are for if it does not say. */
export function readTokens(given: OAuthTokens, clock: Pick<Clock, 'now'>, asked: string | undefined): Tokens {
  const { access_token, token_type, refresh_token, expires_in } = given
  if (token_type.toLowerCase() !== 'bearer')
    throw new PipeError('auth', `it issues tokens of the type ${token_type}, which pipe does not support`)
  return {
    access: access_token,
    ...omitUndefined({
      refresh: refresh_token,
      expiresAt: expires_in === undefined ? undefined : clock.now() + expires_in * 1_000,
      scope: given.scope ?? asked,
    }),
  }
}

function signInOf(found: AuthorizationServer, client: SignIn['client'], tokens: Tokens): SignIn {
  const { issuer, tokenEndpoint, metadata = {}, resource } = found
  const revocation = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined
  return {
    issuer,
    tokenEndpoint,
    client,
    tokens,
    ...omitUndefined({
      resource,
      revocationEndpoint: typeof revocation === 'string' ? revocation : undefined,
      authMethods: found.metadata?.token_endpoint_auth_methods_supported,
    }),
  }
}

/** Asks for the scopes of the entry or of the server, with those it lacked and those it had. */
function wantedScope(
  { scope: asked, metadata }: AuthorizationServer,
  own: readonly string[] | undefined,
  { needs, signIn }: KnownServer,
): string | undefined {
  const lacked = needs?.scope
  const had = lacked === undefined ? undefined : signIn?.tokens.scope
  const scope = computeScopeUnion(own?.join(' ') ?? asked, had, lacked)
  // Without it, some authorization servers give no token that renews the others.
  const offline = metadata?.scopes_supported?.includes('offline_access') === true
  return scope !== undefined && offline ? computeScopeUnion(scope, 'offline_access') : scope
}

/** Returns the code of an answer. Reads nothing else of it before its issuer is known to be the right one. */
function readCode(answer: URLSearchParams, { metadata }: AuthorizationServer): string {
  validateAuthorizationResponseIssuer({
    iss: answer.get('iss') ?? undefined,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  })
  const code = answer.get('code')
  if (code !== null && code !== '') return code
  const [error, words] = [answer.get('error') ?? 'no code came back', answer.get('error_description')]
  throw new PipeError('auth', words === null ? error : `${error}: ${words}`)
}
