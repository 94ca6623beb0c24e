import { OAuthError, OAuthErrorCode, refreshAuthorization } from '@modelcontextprotocol/client'
import { omitUndefined } from '../../omit-undefined.ts'
import { readTokens } from './begin-sign-in.ts'
import { spellClient, withSecret } from './client-identity.ts'
import { secureFetch } from './secure-fetch.ts'
import { type KnownServer, type SignIn, type SignInContext, signInKey } from './sign-in.ts'
import { explained } from './sign-in-failure.ts'

/** Lists the errors after which no later attempt will succeed either. */
const final: readonly string[] = [
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
]

/**
 * Returns a server with new tokens, or as one that waits for a sign-in if there are none to be had. `scope` is what it asks for. Throws
 * `auth` and as the transport does if a later attempt may succeed.
 */
export async function renewed(
  known: KnownServer,
  scope: string | undefined,
  options: SignInContext,
): Promise<KnownServer> {
  const { signIn } = known
  const waiting = { needs: omitUndefined({ scope }) }
  const refresh = signIn?.tokens.refresh
  if (signIn === undefined || refresh === undefined) return waiting
  return explained(options, async () => {
    try {
      return { signIn: { ...signIn, tokens: await renewTokens(signIn, refresh, options) } }
    } catch (error) {
      if (error instanceof OAuthError && final.includes(error.code)) return waiting
      throw concealed(error, refresh)
    }
  })
}

async function renewTokens(signIn: SignIn, refreshToken: string, options: SignInContext) {
  const { issuer, tokenEndpoint, authMethods, client, resource, tokens } = signIn
  const { server, clock } = options
  const given = await refreshAuthorization(issuer, {
    metadata: {
      issuer,
      token_endpoint: tokenEndpoint,
      // Not used to renew.
      authorization_endpoint: tokenEndpoint,
      response_types_supported: ['code'],
      ...omitUndefined({ token_endpoint_auth_methods_supported: authMethods && [...authMethods] }),
    },
    clientInformation: spellClient(withSecret(client, server.oauth ?? {})),
    refreshToken,
    ...omitUndefined({ resource }),
    fetchFn: secureFetch(signInKey(server.url), options),
  })
  return readTokens(given, clock, tokens.scope)
}

function concealed(error: unknown, secret: string): unknown {
  const isTold = error instanceof Error && error.message.includes(secret)
  return isTold ? new Error(error.message.replaceAll(secret, '[redacted]')) : error
}
