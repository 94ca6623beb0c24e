import { exportFormats } from '../../wiring/session/export-format.ts'
import { asJson, type CliCommand, done } from '../cli-command.ts'

/** The command `sessions`. */
export const sessionsCommand: CliCommand = {
  about: 'list, search, export and clean up saved conversations',
  actions: [
    {
      name: 'list',
      aliases: ['ls'],
      flags: ['all', 'limit'],
      help: 'list the sessions of this folder, newest first: id, time, size, title',
      json: '{"sessions": [{"id", "created_at", "updated_at", "cwd"?, "git_branch"?, "title"?, "opening"?, "size"?, "pending"?, "fault"?}]}',
      run: async (context) => done((await import('./sessions.ts')).printSessions(context)),
    },
    {
      name: 'show',
      takes: ['ID'],
      help: 'print a session as text; ID is an id, its first characters, or the name given to -s',
      json: '{"id", "system_prompt", "created_at", "updated_at", "cwd"?, "messages": […]}; see pipe schema session',
      run: async (context, [id = '']) => done((await import('./sessions.ts')).showSession(id, context)),
    },
    {
      name: 'export',
      takes: ['ID', '[FILE]'],
      formats: exportFormats,
      help: 'write its current branch as a document without secrets, or what --fork ID@MESSAGE would copy; the extension of FILE, a new file, names the format',
      json: 'as show, but without secrets',
      run: async (context, [id = '', file = '-']) =>
        done((await import('./export-command.ts')).exportSession(id, file, context)),
    },
    {
      name: 'tree',
      takes: ['ID'],
      help: 'show its messages and branches, with the ids that -r ID@MESSAGE and --fork ID@MESSAGE take; ● marks the current branch',
      json: '{"id", "messages": [{"id", "parent_id"?, "type", "text", "current"}]}',
      run: async (context, [id = '']) => done((await import('./session-tree.ts')).showTree(id, context)),
    },
    {
      name: 'search',
      flags: ['limit'],
      takes: ['WORDS…'],
      help: 'find sessions of this folder with these words, the best first; pipe recall searches everywhere',
      json: '{"sessions": [{"id", "created_at", "updated_at", "title"?, "opening"?, …}]}',
      run: async (context, words) =>
        done((await import('./recall-command.ts')).searchSessions(words, context)),
    },
    {
      name: 'rename',
      aliases: ['name'],
      takes: ['ID', 'TITLE…'],
      help: 'give a session a title; "" restores your first words',
      json: '{"id", "title"}',
      run: async (context, [id = '', ...words]) =>
        done((await import('./rename-session.ts')).rename(id, words, context)),
    },
    {
      name: 'fork',
      aliases: ['copy'],
      takes: ['ID'],
      help: 'copy its current branch into a new session of this folder, or up to a message with ID@MESSAGE, and print its id; pipe --fork ID goes on at once',
      json: '{"id", "from"}',
      run: async (context, [id = '']) => done((await import('./fork-session.ts')).fork(id, context)),
    },
    {
      name: 'delete',
      aliases: ['rm', 'remove'],
      flags: ['dry-run', 'yes', 'force'],
      takes: ['ID…'],
      help: 'delete sessions and their files, after asking; keep audit logs',
      json: '{"deleted": [{"id", "title"?, "bytes"}]}; with --dry-run "would_delete"',
      run: async (context, ids) => done((await import('./delete-sessions.ts')).deleteSessions(ids, context)),
    },
    {
      name: 'prune',
      aliases: ['clean'],
      flags: ['older-than', 'keep', 'all', 'dry-run', 'yes', 'force'],
      help: 'delete old sessions, as the flags say, and files that no session needs, after asking',
      json: '{"deleted": [{"id", "title"?, "updated_at", "bytes"}], "leftovers": [name], "kept": [{"id", "reason"}], "bytes", "dry_run"}',
      run: async (context) => done((await import('./prune-sessions.ts')).pruneSessions(context)),
    },
    {
      name: 'import',
      flags: ['again', 'trust'],
      takes: ['[FILE]…'],
      help: 'import sessions of Claude Code, Codex, Gemini CLI, opencode and pi; - is stdin; without FILE: list those about this folder',
      json: '{"imported": [{"file", "session_id", "agent", "cwd", "title"?, "model"?, "messages", "beginnings"?, "left_out", "damage"}]}; without FILE {"found": [{"file", "agent", "updated_at", "title"?, "opening"}]}',
      run: async (context, files) => (await import('./session-import.ts')).importSessions(files, context),
    },
  ],
  instead: {
    resume: 'pipe -r ID',
    continue: 'pipe -r ID',
  },
  flags: ['cd', 'wait-lock', ...asJson],
  example: 'pipe sessions show work',
  exitCodes: [42],
}
