import { type CliCommand, done, inCopy } from '../cli-command.ts'

const racer =
  '{"id", "model", "result", "files": [{"path", "added"?, "removed"?}], "cost_usd"?, "duration_ms", "ref", "session_id"?, "error"?}'

/** The command `race`. */
export const raceCommand: CliCommand = {
  about: 'give one task to several models side by side, and take the best result',
  actions: [
    {
      takes: ['TEXT…'],
      flags: ['check', 'apply'],
      help: 'let each model work in a worktree of its own; -m names them: -m a,b,c',
      json: `{"id", "winner"?, "applied"?, "racers": [${racer}], "diff"?}`,
      run: async (context, words) => (await import('./race.ts')).race(words.join(' '), context),
    },
    {
      name: 'list',
      aliases: ['ls'],
      help: 'list the kept results, newest first',
      json: '{"results": [{"id", "ref", "saved_at"}]}',
      run: async (context) => done((await import('./kept.ts')).listKept(context)),
    },
    {
      name: 'show',
      takes: ['ID'],
      help: 'show the diff of a kept result; ID is an id or its first characters',
      run: async (context, [id = '']) => done((await import('./kept.ts')).showKept(id, context)),
    },
    {
      name: 'apply',
      takes: ['ID'],
      help: 'merge a kept result into your files',
      json: '{"id", "applied": [path]}',
      run: async (context, [id = '']) => done((await import('./kept.ts')).applyKept(id, context)),
    },
    {
      name: 'drop',
      aliases: ['rm', 'remove'],
      takes: ['ID'],
      help: 'delete the kept results whose ids begin with ID',
      json: '{"dropped": [id]}',
      run: async (context, [id = '']) => done((await import('./kept.ts')).dropKept(id, context)),
    },
  ],
  flags: ['check', 'agent', 'file', 'stdin', 'on-ask', 'verbose', ...inCopy],
  example: 'pipe race -m strong,fast --check \'npm test\' "make the tests pass"',
  exitCodes: [41, 42, 47, 50, 51, 52, 53, 54, 55],
}
