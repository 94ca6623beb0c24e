import { asJson, type CliCommand, done } from '../cli-command.ts'

/** The command `hooks`. */
export const hooksCommand: CliCommand = {
  about: 'lists and tries what runs at events of a conversation',
  actions: [
    {
      name: 'list',
      aliases: ['ls'],
      help: 'the event, matcher, state, file and command of each',
      json: '{"hooks": [{"event", "matcher", "if"?, "type", "command"?, "url"?, "prompt"?, "source", "origin", "approved", …}]}',
      run: async (context) => done((await import('./list-hooks.ts')).listHooks(context)),
    },
    {
      name: 'test',
      takes: ['EVENT'],
      flags: ['tool', 'input'],
      formats: ['text'],
      help: 'runs the approved hooks of an event with a made-up input: what each gets, how it ends, what its answer means; 50 if one refuses',
      run: async (context, [event = '']) => (await import('./test-hooks.ts')).testHooks(event, context),
    },
  ],
  flags: ['cd', 'trust', ...asJson],
  example: 'pipe hooks list --json',
  exitCodes: [50, 52],
}
