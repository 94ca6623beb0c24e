import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { serve } from '../servers/web-server.ts'

/** Makes a server of tools that asks for a sign-in odd, or its authorization server. */
export interface Oddities {
  /** Where the server says who signs users in. Default: below its path, and named by the 401. */
  readonly metadataAt?: 'named' | 'path' | 'root' | 'none'
  /** Fields of the server's own metadata, and of its authorization server's, in place of the right ones. */
  readonly resource?: (right: Metadata) => Metadata
  readonly authorization?: (right: Metadata) => Metadata
  /** Parameters of the redirect, in place of the right ones. */
  readonly redirect?: (
    right: Readonly<Record<string, string>>,
  ) => Readonly<Record<string, string | undefined>>
  /** Seconds for which a token counts. Default: 3600. */
  readonly lifetime?: number
  /** Answers each request to the server of tools with a redirect to this address. */
  readonly movedTo?: string
  /** Refuses a token for the second time only once a sound one has come. */
  readonly slowToRefuse?: true
}

type Metadata = Readonly<Record<string, unknown>>

/** A server of tools behind a sign-in, with its authorization server on another port. */
export interface GuardedServer {
  readonly url: string
  readonly issuer: string
  /** The bodies of requests to the authorization server, each with its path and `authorization` header first. */
  readonly asked: readonly string[]
  /** The headers `authorization` that the server of tools got. */
  readonly presented: readonly (string | undefined)[]
  /** Makes all access tokens worthless, or also those that renew them. */
  revoke(what: 'access' | 'all'): void
}

interface Grant {
  readonly challenge: string
  readonly scope: string
  readonly client: string
}

/** Opens both servers, closed after the test. */
export async function openGuardedServer(oddities: Oddities = {}): Promise<GuardedServer> {
  const {
    metadataAt = 'named',
    resource = same,
    authorization = same,
    redirect = (right) => right,
  } = oddities
  const codes = new Map<string, Grant>()
  const [access, renewing] = [new Map<string, string>(), new Map<string, string>()]
  const asked: string[] = []
  const presented: (string | undefined)[] = []
  const refused = new Set<string>()
  const held: (() => void)[] = []

  const give = (scope: string) => {
    const [token, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`]
    access.set(token, scope)
    renewing.set(refresh, scope)
    return {
      access_token: token,
      refresh_token: refresh,
      token_type: 'Bearer',
      expires_in: oddities.lifetime ?? 3600,
      scope,
    }
  }
  const trade = (form: URLSearchParams) => {
    const grant = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    return grant?.challenge === proof && grant.client === form.get('client_id')
      ? give(grant.scope)
      : undefined
  }
  const renew = (form: URLSearchParams) => {
    const scope = renewing.get(form.get('refresh_token') ?? '')
    renewing.delete(form.get('refresh_token') ?? '')
    return scope === undefined ? undefined : give(scope)
  }

  const issuing = await serve(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x')
    const body = await textOf(request)
    const form = new URLSearchParams(body)
    const { authorization: shown = '' } = request.headers
    if (request.method === 'POST') asked.push(`${pathname} ${shown}${shown === '' ? '' : ' '}${body}`)
    if (pathname === '/.well-known/oauth-authorization-server')
      return json(response, 200, authorization(metadataOf(issuing.url)))
    if (pathname === '/register') return json(response, 201, { ...JSON.parse(body), client_id: 'registered' })
    if (pathname === '/authorize') {
      const code = randomUUID()
      const given = (name: string) => searchParams.get(name) ?? ''
      codes.set(code, {
        challenge: given('code_challenge'),
        scope: given('scope'),
        client: given('client_id'),
      })
      const to = new URL(given('redirect_uri'))
      const answer = redirect({ code, state: given('state'), iss: issuing.url })
      for (const [name, value] of Object.entries(answer))
        if (value !== undefined) to.searchParams.set(name, value)
      return response.writeHead(302, { location: to.href }).end()
    }
    if (pathname === '/token') {
      const tokens = form.get('grant_type') === 'refresh_token' ? renew(form) : trade(form)
      return json(response, tokens === undefined ? 400 : 200, tokens ?? { error: 'invalid_grant' })
    }
    if (pathname !== '/revoke') return json(response, 404, {})
    for (const tokens of [access, renewing]) tokens.delete(form.get('token') ?? '')
    return json(response, 200, {})
  })

  const tools = await serve(async (request, response) => {
    const body = await textOf(request)
    const at = request.url ?? '/'
    const known = { named: '/metadata', path: '/.well-known/oauth-protected-resource/mcp', none: '' }
    const place = metadataAt === 'root' ? '/.well-known/oauth-protected-resource' : known[metadataAt]
    if (at === place)
      return json(
        response,
        200,
        resource({
          resource: `${tools.url}/mcp`,
          authorization_servers: [issuing.url],
          scopes_supported: ['read'],
        }),
      )
    if (at !== '/mcp') return json(response, 404, {})
    presented.push(request.headers.authorization)
    if (oddities.movedTo !== undefined) return response.writeHead(307, { location: oddities.movedTo }).end()
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const scope = access.get(token)
    if (scope !== undefined) for (const refuse of held.splice(0)) refuse()
    else if (!refused.has(token)) refused.add(token)
    else if (oddities.slowToRefuse) await new Promise<void>((resolve) => held.push(resolve))
    const named = metadataAt === 'named' ? ` resource_metadata="${tools.url}/metadata"` : ' realm="x"'
    if (scope === undefined) return json(response, 401, {}, `Bearer${named}`)
    const message = JSON.parse(body === '' ? '{}' : body)
    if (message.params?.name === 'write' && !scope.includes('write'))
      return json(response, 403, {}, 'Bearer error="insufficient_scope", scope="write"')
    return answerMessage(message, response)
  })
  return {
    url: `${tools.url}/mcp`,
    issuer: issuing.url,
    asked,
    presented,
    revoke(what) {
      access.clear()
      if (what === 'all') renewing.clear()
    },
  }
}

/** Follows redirects as a browser does, to the page that it ends at. */
export async function browse(address: string): Promise<string> {
  const answer = await fetch(address, { redirect: 'manual' })
  return answer.headers.get('location') ?? ''
}

function metadataOf(url: string): Metadata {
  return {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    registration_endpoint: `${url}/register`,
    revocation_endpoint: `${url}/revoke`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
    authorization_response_iss_parameter_supported: true,
  }
}

function answerMessage({ id, method }: { id?: unknown; method?: string }, response: ServerResponse): void {
  const tool = (name: string) => ({ name, description: `Does the ${name}`, inputSchema: { type: 'object' } })
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'guarded', version: '1' },
    },
    'tools/list': { tools: [tool('work'), tool('write')] },
    'tools/call': { content: [{ type: 'text', text: 'done' }] },
  }
  const result = results[method ?? '']
  const answer = result === undefined ? { error: { code: -32601, message: 'no such method' } } : { result }
  if (id === undefined) response.writeHead(202).end()
  else json(response, 200, { jsonrpc: '2.0', id, ...answer })
}

function json(response: ServerResponse, status: number, body: object, challenge?: string): void {
  const headers = { 'content-type': 'application/json', ...(challenge && { 'www-authenticate': challenge }) }
  response.writeHead(status, headers).end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

function same(right: Metadata): Metadata {
  return right
}
