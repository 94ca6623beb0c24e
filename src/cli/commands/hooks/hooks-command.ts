import { asJson, type CliCommand, done } from '../cli-command.ts'

/** The command `hooks`. */
export const hooksCommand: CliCommand = {
  about: 'list and test what runs at events of a conversation',
  actions: [
    {
      name: 'list',
      aliases: ['ls'],
      help: 'list the hooks: event, matcher, state, file, command',
      json: '{"hooks": [{"event", "matcher", "if"?, "type", "command"?, "url"?, "prompt"?, "source", "origin", "approved", …}]}',
      run: async (context) => done((await import('./list-hooks.ts')).listHooks(context)),
    },
    {
      name: 'test',
      takes: ['EVENT'],
      flags: ['tool', 'input'],
      help: 'run the approved hooks of an event with a made-up input; show what each gets, how it ends and what its answer means (exit 50 if one refuses)',
      run: async (context, [event = '']) => (await import('./test-hooks.ts')).testHooks(event, context),
    },
  ],
  flags: ['cd', 'trust', 'settings', 'bare', ...asJson],
  example: 'pipe hooks list --json',
  exitCodes: [50, 52],
}
