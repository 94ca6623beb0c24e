import { asJson, type CliCommand, done } from '../cli-command.ts'

/** The fields of an agent that `--json` prints. */
const fields = [
  '{"name", "description", "source", "path"?, "model"?, "route"?, "thinking"?, "tools"?, "only_calls"?, "disallowed_tools"?,',
  '"disallowed_calls"?, "startable"?, "servers"?, "own_servers"?, "mode"?, "never_asks"?, "max_rounds"?, "isolation"?, "background"?,',
  '"skills"?}',
].join(' ')

/** The command `agents`. */
export const agentsCommand: CliCommand = {
  about: 'list the agents that --agent takes',
  actions: [
    {
      name: 'list',
      aliases: ['ls'],
      help: 'list the agents: name, origin, model or route, description',
      json: `{"agents": [${fields}]}`,
      run: async (context) => done((await import('./list-agents.ts')).printAgents(context)),
    },
    {
      name: 'show',
      aliases: ['cat'],
      takes: ['NAME'],
      help: 'show an agent: its limits, its prompt, and what in its file has no effect',
      json: `${fields.slice(0, -1)}, "prompt"}`,
      run: async (context, [name = '']) => done((await import('./list-agents.ts')).showAgent(name, context)),
    },
    {
      name: 'check',
      aliases: ['lint', 'validate'],
      takes: ['[PATH]'],
      help: 'report unusable files, and what has no effect, by line: of all agents, or of a file or folder (exit 52 if one is unusable)',
      json: '{"findings": [{"path", "line"?, "kind": "unusable" | "note", "text"}]}',
      run: async (context, [path]) => (await import('./check-agents.ts')).checkAgentFiles(path, context),
    },
  ],
  flags: ['cd', 'trust', ...asJson],
  example: 'pipe agents show review',
  exitCodes: [42, 52, 55],
}
