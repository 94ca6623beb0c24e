import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  type FetchLike,
} from '@modelcontextprotocol/client'
import { isPipeError, PipeError } from '../../error.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { requireSecure } from './secure-fetch.ts'

/** Who signs users in for a server, and what the server asks for. */
export interface AuthorizationServer {
  readonly issuer: string
  /** Absent: a server of 2025-03-26, whose endpoints have fixed paths. */
  readonly metadata?: AuthorizationServerMetadata
  readonly tokenEndpoint: string
  /** The name of the server of tools, which tokens are bound to. */
  readonly resource?: string
  /** The scopes to ask for, with blanks between them. Absent: none. */
  readonly scope?: string
}

/** Finds out who signs users in for a server. Throws `auth` if that is not safe, and `input` if it asks for no sign-in. */
export async function findAuthorizationServer(
  server: string,
  name: string,
  fetch: FetchLike,
): Promise<AuthorizationServer> {
  const answer = await fetch(server, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  })
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(answer)
  const resource = await readResource(server, resourceMetadataUrl, fetch)
  const url = resource?.authorization_servers?.[0] ?? String(new URL('/', server))
  const metadata = await discoverAuthorizationServerMetadata(url, { fetchFn: fetch })
  if (answer.status !== 401 && resource === undefined && metadata === undefined)
    throw new PipeError('input', `the MCP server ${name} asks for no sign-in: it answered ${answer.status}`)
  if (metadata !== undefined) requirePkce(metadata)
  const tokenEndpoint = metadata?.token_endpoint ?? String(new URL('/token', url))
  for (const one of [tokenEndpoint, metadata?.authorization_endpoint ?? url]) requireSecure(one, server)
  const asked = scope ?? (resource?.scopes_supported?.join(' ') || undefined)
  return {
    issuer: metadata?.issuer ?? url,
    tokenEndpoint,
    ...omitUndefined({ metadata, resource: resource?.resource, scope: asked }),
  }
}

/** Reads what a server says of itself; `undefined` if it says nothing. Older ones do not. */
async function readResource(server: string, at: URL | undefined, fetch: FetchLike) {
  try {
    const opts = at === undefined ? {} : { resourceMetadataUrl: at }
    const found = await discoverOAuthProtectedResourceMetadata(server, opts, fetch)
    if (checkResourceAllowed({ requestedResource: server, configuredResource: found.resource })) return found
    throw new PipeError('auth', `it says it is ${found.resource}, which is another server`)
  } catch (error) {
    if (isPipeError(error)) throw error
    return undefined
  }
}

/** The specification forbids a sign-in without proof of who began it. */
function requirePkce({
  code_challenge_methods_supported: methods,
  issuer,
}: AuthorizationServerMetadata): void {
  if (methods?.includes('S256') !== true)
    throw new PipeError(
      'auth',
      `${issuer} does not say that it supports PKCE with S256, and no sign-in is safe without it`,
    )
}
