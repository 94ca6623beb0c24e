import { type CliCommand, done } from '../cli-command.ts'

/** The command `import-config`. */
export const importConfigCommand: CliCommand = {
  about: "takes over other agents' MCP servers, rules, hooks and model into your settings",
  actions: [
    {
      takes: ['[AGENT]'],
      formats: ['text'],
      help: 'of claude, codex, gemini, opencode or pi, or of all: shows what is taken and what is not, then asks',
      run: async (context, [from]) =>
        done((await import('./import-config.ts')).importConfig(from, context, { onlyServers: false })),
    },
  ],
  flags: ['cd', 'scope', 'yes', 'dry-run'],
  example: 'pipe import-config claude --dry-run',
  exitCodes: [52],
}
