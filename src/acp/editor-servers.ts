import type { EnvVariable, HttpHeader, McpServer } from '@agentclientprotocol/sdk'
import { PipeError } from '../error.ts'
import type { JsonObject } from '../json-value.ts'

/** Words the MCP servers that an editor brings as settings do. Throws `invalid` for a transport that pipe lacks. */
export function serversOf(servers: readonly McpServer[]): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(servers.map((server) => [server.name, entryOf(server)]))
}

function entryOf(server: McpServer): JsonObject {
  if (!('type' in server)) {
    const { command, args, env } = server
    return { command, args, env: pairs(env) }
  }
  if (server.type === 'http') return { type: 'http', url: server.url, headers: pairs(server.headers) }
  throw new PipeError('invalid', `${server.name}: SSE is not supported; use streamable HTTP`)
}

function pairs(entries: readonly (EnvVariable | HttpHeader)[]): JsonObject {
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]))
}
