import type { EnvVariable, HttpHeader, McpServer } from '@agentclientprotocol/sdk'
import type { JsonObject } from '../json-value.ts'

/** Words the MCP servers that an editor brings as settings do. */
export function serversOf(servers: readonly McpServer[]): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(servers.map((server) => [server.name, entryOf(server)]))
}

function entryOf(server: McpServer): JsonObject {
  if (!('type' in server)) {
    const { command, args, env } = server
    return { command, args, env: pairs(env) }
  }
  const { type, url, headers } = server
  return { type, url, headers: pairs(headers) }
}

function pairs(entries: readonly (EnvVariable | HttpHeader)[]): JsonObject {
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]))
}
