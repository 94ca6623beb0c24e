import { type FetchLike, isHttpsUrl, registerClient } from '@modelcontextprotocol/client'
import { PipeError } from '../../error.ts'
import type { SignInOptions } from '../../machine/tool-server.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { AuthorizationServer } from './authorization-server.ts'
import type { SignInClient } from './sign-in.ts'

/** Decides who pipe is there: its document, the client of the entry, or one that is registered now. Throws `auth`. */
export async function identify(
  { issuer, metadata }: AuthorizationServer,
  options: SignInOptions,
  {
    redirectUri,
    scope,
    fetch,
  }: { readonly redirectUri: string; readonly scope?: string; readonly fetch: FetchLike },
): Promise<SignInClient> {
  const { clientMetadataUrl, clientId } = options
  const takesDocuments = metadata?.client_id_metadata_document_supported === true
  if (takesDocuments && clientMetadataUrl !== undefined) return { id: documentUrl(clientMetadataUrl) }
  if (clientId !== undefined) return { id: clientId }
  if (metadata !== undefined && metadata.registration_endpoint === undefined)
    throw new PipeError(
      'auth',
      `${issuer} does not register clients automatically: register one there, and set its id as oauth.client_id in the entry of the server`,
    )
  const methods = metadata?.token_endpoint_auth_methods_supported
  const registered = await registerClient(issuer, {
    ...omitUndefined({ metadata, scope }),
    clientMetadata: {
      client_name: 'pipe',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
      token_endpoint_auth_method: methodFor(methods),
    },
    fetchFn: fetch,
  })
  const { client_id, client_secret, token_endpoint_auth_method } = registered
  return {
    id: client_id,
    ...omitUndefined({ secret: client_secret, authMethod: token_endpoint_auth_method }),
  }
}

/** Adds the secret of the entry to its client, which is not kept. */
export function withSecret(client: SignInClient, { clientId, clientSecret }: SignInOptions): SignInClient {
  return client.id === clientId && clientSecret !== undefined ? { ...client, secret: clientSecret } : client
}

/** Writes a client in the words of the protocol. */
export function spellClient({ id, secret, authMethod }: SignInClient) {
  return {
    client_id: id,
    ...omitUndefined({ client_secret: secret, token_endpoint_auth_method: authMethod }),
  }
}

/** A program on a user's machine keeps no secret, unless it must. */
function methodFor(supported: readonly string[] | undefined): string {
  if (supported === undefined || supported.includes('none')) return 'none'
  return supported.includes('client_secret_basic') ? 'client_secret_basic' : 'client_secret_post'
}

function documentUrl(text: string): string {
  if (isHttpsUrl(text)) return text
  throw new PipeError('auth', 'oauth.client_metadata_url takes an https URL with a path')
}
