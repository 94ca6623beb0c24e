import type { Option } from '../option.ts'

/** Lists the flags that bring parts of a run: servers, settings, agents, prompts, a folder. */
export const givenOptions = [
  {
    name: 'system-prompt-file',
    value: 'PATH',
    help: 'replace the system prompt by the text of a file',
  },
  { name: 'append-system-prompt-file', value: 'PATH', help: 'add the text of a file to the system prompt' },
  {
    name: 'max-thinking-tokens',
    value: 'N',
    help: 'think about as much, as the nearest level of --thinking; 0 is off',
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
    help: 'work in a git worktree of its own, .worktrees/NAME, on the branch worktree-NAME; removed at the end if nothing changed',
  },
  {
    name: 'settings',
    value: 'FILE|JSON',
    help: 'more settings for this run, in our form or that of another agent (settings.json); other flags win over them',
  },
  {
    name: 'mcp-config',
    value: 'FILE|JSON',
    list: 'files',
    help: 'add the MCP servers of a file such as .mcp.json, or of JSON; several may follow each other',
  },
  { name: 'strict-mcp-config', help: 'start the servers of --mcp-config and --settings alone' },
  {
    name: 'agents',
    value: 'JSON',
    help: 'define agents for this run: {"reviewer": {"description": "…", "prompt": "…", "tools": ["Read"]}}',
  },
  {
    name: 'permission-prompt-tool',
    value: 'TOOL',
    help: 'let an MCP tool, mcp__SERVER__TOOL, answer when a permission is needed; stdio: the program that drives pipe',
  },
  {
    name: 'bare',
    help: 'use nothing that pipe finds by itself: no hooks, skills, commands, agents, plugins, MCP servers, memories, instruction files',
  },
] as const satisfies readonly Option[]
