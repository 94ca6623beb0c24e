import { type CliCommand, done } from '../cli-command.ts'

/** The command `import-config`. */
export const importConfigCommand: CliCommand = {
  about: "copy other agents' MCP servers, rules, hooks, model and status line into your settings",
  actions: [
    {
      takes: ['[AGENT]'],
      help: 'copy from claude, codex, gemini, opencode or pi, or from all; show what is copied and what is not, then ask',
      run: async (context, [from]) =>
        done((await import('./import-config.ts')).importConfig(from, context, { onlyServers: false })),
    },
  ],
  flags: ['cd', 'scope', 'yes', 'dry-run'],
  example: 'pipe import-config claude --dry-run',
  exitCodes: [52],
}
