import { join } from 'node:path'

/** The file of sign-ins at MCP servers, in the user's config folder. */
export function signInPath(config: string): string {
  return join(config, 'mcp-sign-ins.json')
}
