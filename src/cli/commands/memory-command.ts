import { asJson, type CliCommand, done } from './cli-command.ts'

/** The command `memory`. */
export const memoryCommand: CliCommand = {
  about: 'show and change what pipe remembers across sessions',
  actions: [
    {
      name: 'list',
      aliases: ['ls'],
      help: 'list the memories of this project, then those of all projects: id, scope, day, first words',
      json: '{"memories": [{"id", "scope": "project" | "user", "text", "date"?, "session_id"?}]}',
      run: async (context) => done((await import('./memory.ts')).listMemories(context)),
    },
    {
      name: 'show',
      takes: ['ID'],
      help: 'show a memory: its text, scope, day, session and file; ID is an id or its first characters',
      json: '{"id", "scope", "text", "date"?, "session_id"?, "path"}',
      run: async (context, [id = '']) => done((await import('./memory.ts')).showMemory(id, context)),
    },
    {
      name: 'add',
      aliases: ['remember'],
      flags: ['user'],
      takes: ['TEXT…'],
      help: 'save a text for this project, or with --user for all',
      json: '{"id", "scope", "text", "date"?, "session_id"?, "path"}',
      run: async (context, words) => done((await import('./memory.ts')).addMemory(words, context)),
    },
    {
      name: 'forget',
      aliases: ['rm', 'remove', 'delete'],
      flags: ['yes'],
      takes: ['ID…'],
      help: 'delete memories, after asking',
      json: '{"forgotten": [{"id", "scope", "text", "date"?, "session_id"?}]}',
      run: async (context, ids) => done((await import('./memory.ts')).forgetMemories(ids, context)),
    },
    {
      name: 'path',
      flags: ['user'],
      help: 'print the path of the file of this project, or with --user of all; edit it as you like; it may not exist yet',
      json: '{"path"}',
      run: async (context) => done((await import('./memory.ts')).printPath(context)),
    },
  ],
  flags: ['cd', ...asJson],
  example: 'pipe memory add "the tests need a database on port 5433"',
  exitCodes: [42, 52],
}
