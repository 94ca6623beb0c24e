import { selectClientAuthMethod } from '@modelcontextprotocol/client'
import { PipeError } from '../../error.ts'
import { spellClient, withSecret } from './client-identity.ts'
import { secureFetch } from './secure-fetch.ts'
import { type SignIn, type SignInContext, signInKey } from './sign-in.ts'
import { explained } from './sign-in-failure.ts'

/** Tells how a sign-in ended: nobody had signed in, the tokens are only forgotten, or they are worthless now. */
export type Logout = 'none' | 'forgotten' | 'revoked'

/** Forgets a sign-in, then revokes its tokens where the authorization server can. Throws `auth` if that fails; it is forgotten then, too. */
export async function logOut(options: SignInContext): Promise<Logout> {
  const { server, store } = options
  const url = signInKey(server.url)
  const { signIn } = await store.read(url)
  await store.change(url, async () => ({}))
  if (signIn === undefined) return 'none'
  const { revocationEndpoint } = signIn
  if (revocationEndpoint === undefined) return 'forgotten'
  await explained(options, () => revoke(signIn, revocationEndpoint, options))
  return 'revoked'
}

/** Revokes the token that gives others, or else the access token (RFC 7009). */
async function revoke(
  { tokens, client, authMethods = [] }: SignIn,
  endpoint: string,
  options: SignInContext,
): Promise<void> {
  const known = spellClient(withSecret(client, options.server.oauth ?? {}))
  const { client_id, client_secret } = known
  const { access, refresh } = tokens
  const body = new URLSearchParams({
    token: refresh ?? access,
    token_type_hint: refresh === undefined ? 'access_token' : 'refresh_token',
  })
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' })
  const method = selectClientAuthMethod(known, [...authMethods])
  if (method === 'client_secret_basic')
    headers.set('authorization', `Basic ${btoa(`${client_id}:${client_secret}`)}`)
  else body.set('client_id', client_id)
  if (method === 'client_secret_post' && client_secret !== undefined) body.set('client_secret', client_secret)
  const fetch = secureFetch(signInKey(options.server.url), options)
  const { ok, status } = await fetch(endpoint, { method: 'POST', headers, body })
  if (!ok)
    throw new PipeError('auth', `its tokens were deleted here, but not revoked there: it answered ${status}`)
}
