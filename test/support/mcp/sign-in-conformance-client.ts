import { withoutTags } from '../../../src/characters/tag-characters.ts'
import { systemClock } from '../../../src/cli/system-clock.ts'
import { isPipeError } from '../../../src/error.ts'
import { createTransport } from '../../../src/http/transport.ts'
import { isJsonObject, textField } from '../../../src/json-value.ts'
import type { SignInOptions } from '../../../src/machine/tool-server.ts'
import { beginSignIn } from '../../../src/mcp/auth/begin-sign-in.ts'
import type { KnownServer, SignInContext } from '../../../src/mcp/auth/sign-in.ts'
import { connect } from '../../../src/mcp/connection.ts'

// The client that `@modelcontextprotocol/conformance` tests: it lists tools and calls the first, and signs in again when it is told to, as
// a user does. The address of the server is the last argument.

const url = process.argv.at(-1) ?? ''
const known = new Map<string, KnownServer>()
const transport = createTransport()
const signal = new AbortController().signal

function options(): SignInOptions {
  const context: unknown = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}')
  const given = isJsonObject(context) ? context : {}
  const [clientId, clientSecret] = [textField(given, 'client_id'), textField(given, 'client_secret')]
  return {
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
  }
}

const context: SignInContext = {
  name: 'web',
  server: { type: 'http', url, headers: {}, oauth: options() },
  store: {
    read: async (server) => known.get(server) ?? {},
    async change(server, change) {
      const changed = await change(known.get(server) ?? {})
      known.set(server, changed)
      return changed
    },
  },
  transport,
  clock: systemClock,
  clean: withoutTags,
}

async function signIn(): Promise<void> {
  const { address, finish } = await beginSignIn({
    ...context,
    redirectUri: 'http://127.0.0.1:3000/callback',
    state: crypto.randomUUID(),
  })
  const { headers } = await fetch(address, { redirect: 'manual' })
  await finish(new URL(headers.get('location') ?? '').searchParams)
}

async function use(): Promise<void> {
  const connection = await connect(
    { name: 'web', access: context.server },
    {
      commands: { start: () => Promise.reject(new Error('starts nothing')) },
      transport,
      clock: systemClock,
      env: {},
      folder: '/',
      version: '0',
      isAttended: false,
      clean: withoutTags,
      signIns: context.store,
    },
    { signal, onChanged: () => undefined, onEnd: () => undefined },
  )
  try {
    const limits = { signal, timeoutMs: 10_000 }
    const listed = await connection.request('tools/list', {}, limits)
    const tools = isJsonObject(listed) && Array.isArray(listed['tools']) ? listed['tools'] : []
    const name = textField(tools[0], 'name')
    if (name !== undefined) await connection.request('tools/call', { name, arguments: {} }, limits)
  } finally {
    await connection.close()
  }
}

/** A user gives up after some sign-ins that change nothing. */
for (let left = 3; ; left--) {
  try {
    await use()
    break
  } catch (error) {
    if (left === 0 || !isPipeError(error) || !error.message.includes('needs a sign-in')) throw error
    await signIn()
  }
}
transport.close()
