import type { CliAction } from '../cli-command.ts'
import { servedFlags } from '../served-flags.ts'

/** The action `pipe mcp serve`. */
export const serveAction: CliAction = {
  name: 'serve',
  flags: ['http', 'tools', ...servedFlags],
  help: 'be an MCP server for other agents: give them tools, and run, which carries out a whole task',
  json: '{"url", "token"}: one line with --http, once it listens',
  run: async (context) => (await import('./mcp-serve.ts')).serveTools(context),
}
