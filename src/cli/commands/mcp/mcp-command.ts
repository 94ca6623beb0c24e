import { asJson, type CliCommand, done } from '../cli-command.ts'
import { serveAction } from './serve-action.ts'

/** `pipe mcp`: servers of tools. */
export const mcpCommand: CliCommand = {
  about: 'list, test, add and remove MCP servers, whose tools the model can find; or be one for other agents',
  actions: [
    {
      name: 'list',
      help: 'list the servers of your settings, of this project and of agents; start none',
      json: '{"servers": [{"name", "source", "agent"?, "path", "approved", "type", "command"?, "args"?, "url"?, "sign_in"?}]}',
      run: async (context) => done((await import('./mcp-list.ts')).listServers(context)),
    },
    {
      name: 'show',
      aliases: ['get'],
      takes: ['NAME'],
      help: 'show a server as its file has it',
      json: '{"name", "source", "agent"?, "path", "approved", "type", "command"?, "args"?, "env"?, "url"?, "headers"?, "oauth"?, "sign_in"?}',
      run: async (context, [name = '']) => done((await import('./mcp-list.ts')).showServer(name, context)),
    },
    {
      name: 'test',
      takes: ['[NAME]'],
      help: 'start a server, or all that may run, and list their tools (exit 54 if one fails)',
      json: '{"servers": [{"name", "ok", "tools"?, "error"?}]}',
      run: async (context, [name]) => (await import('./mcp-test.ts')).testServers(name, context),
    },
    {
      name: 'login',
      takes: ['NAME'],
      flags: ['no-browser'],
      help: 'sign in to a server with a URL, in your browser',
      run: async (context, [name = '']) => done((await import('./mcp-login.ts')).login(name, context)),
    },
    {
      name: 'logout',
      takes: ['NAME'],
      help: 'delete the sign-in, and revoke it where the server can',
      run: async (context, [name = '']) => done((await import('./mcp-login.ts')).logout(name, context)),
    },
    {
      name: 'add',
      takes: ['NAME', 'COMMAND or URL…'],
      flags: ['env', 'header', 'scope', 'transport'],
      help: 'add a server: a URL, or a command after --',
      run: async (context, [name = '', ...words]) =>
        done((await import('./mcp-change.ts')).addServer(name, words, context)),
    },
    {
      name: 'add-json',
      takes: ['NAME', 'JSON'],
      flags: ['scope'],
      help: 'add a server by its JSON in .mcp.json: {"command": …} or {"url": …}',
      run: async (context, [name = '', json = '']) =>
        done((await import('./mcp-change.ts')).addServerJson(name, json, context)),
    },
    {
      name: 'remove',
      aliases: ['rm'],
      takes: ['NAME'],
      flags: ['scope'],
      help: 'remove a server from its file',
      run: async (context, [name = '']) =>
        done((await import('./mcp-change.ts')).removeServer(name, context)),
    },
    serveAction,
    {
      name: 'import',
      takes: ['[AGENT]'],
      flags: ['scope', 'yes', 'dry-run'],
      help: "copy other agents' servers (claude, codex, gemini, opencode), after a preview",
      run: async (context, [from]) =>
        done((await import('../import/import-config.ts')).importConfig(from, context, { onlyServers: true })),
    },
  ],
  flags: ['cd', 'trust', ...asJson],
  example: 'pipe mcp add github -- npx -y @modelcontextprotocol/server-github',
  exitCodes: [41, 42, 52, 54, 55],
}
