import type { Option } from '../option.ts'

/** Lists the flags that bring parts of a run: servers, settings, agents, prompts, a folder. */
export const givenOptions = [
  {
    name: 'system-prompt-file',
    value: 'PATH',
    help: 'replace the system prompt with the text of a file',
  },
  { name: 'append-system-prompt-file', value: 'PATH', help: 'add the text of a file to the system prompt' },
  {
    name: 'max-thinking-tokens',
    value: 'N',
    help: 'use the level of --thinking nearest to N tokens; 0 is off',
  },
  {
    name: 'name',
    short: 'n',
    value: 'NAME',
    help: 'the title of the session; -r NAME continues it',
  },
  {
    name: 'worktree',
    short: 'w',
    value: 'NAME',
    optional: 'name',
    help: 'work in a new git worktree, .worktrees/NAME, on the branch worktree-NAME; remove it at the end if nothing changed',
  },
  {
    name: 'settings',
    value: 'FILE|JSON',
    help: "add settings for this run, in pipe's form or another agent's (settings.json); other flags override them",
  },
  {
    name: 'mcp-config',
    value: 'FILE|JSON',
    list: 'files',
    help: 'add the MCP servers of a file such as .mcp.json, or of JSON, or of several: --mcp-config A B',
  },
  { name: 'strict-mcp-config', help: 'start only the MCP servers of --mcp-config and --settings' },
  {
    name: 'agents',
    value: 'JSON',
    help: 'define agents for this run: {"reviewer": {"description": "…", "prompt": "…", "tools": ["Read"]}}',
  },
  {
    name: 'plugin-dir',
    value: 'DIR',
    help: 'use the plugin in DIR for this run (repeat for more)',
  },
  {
    name: 'plugin-dir-no-mcp',
    value: 'DIR',
    help: 'the same without its MCP servers',
  },
  {
    name: 'permission-prompt-tool',
    value: 'TOOL',
    help: 'let an MCP tool, mcp__SERVER__TOOL, answer questions about permissions; stdio: the program that drives pipe',
  },
  {
    name: 'bare',
    help: 'use nothing that pipe finds by itself: no hooks, skills, commands, agents, plugins, MCP servers, memories or instruction files',
  },
] as const satisfies readonly Option[]
