import { asJson, type CliCommand, done } from '../cli-command.ts'

const view =
  '{"task_id", "title", "intent", "created_by", "agent_id", "priority", "status", …, "created_at", "updated_at"}'

/** The command `task`. */
export const taskCommand: CliCommand = {
  about: 'keeps tasks on a board; pipe worker carries them out',
  actions: [
    {
      name: 'list',
      aliases: ['ls', 'board'],
      help: 'the board: tasks that wait for you, then by priority and age, then those that are over',
      json: '{"tasks": [task]}, each as show prints it',
      run: async (context) => done((await import('./list-tasks.ts')).listTasks(context)),
    },
    {
      name: 'add',
      takes: ['TEXT…'],
      flags: [
        'agent',
        'priority',
        'ref',
        'after',
        'model',
        'permission-mode',
        'max-turns',
        'max-tokens',
        'max-cost',
        'max-time',
      ],
      help: 'puts a task on the board, and prints its id',
      json: view,
      run: async (context, words) => done((await import('./add.ts')).addNewTask(words.join(' '), context)),
    },
    {
      name: 'show',
      takes: ['ID'],
      help: 'one task; ID is an id or its first characters, at least 4',
      json: view,
      run: async (context, [id = '']) => done((await import('./show.ts')).showTask(id, context)),
    },
    {
      name: 'log',
      takes: ['ID'],
      flags: ['follow'],
      help: 'what happened to a task, a line each; with --json its events as stored, a line each',
      json: '{"id", "stream_id", "seq", "created_at", "type", "payload"} on each line; see pipe schema task',
      run: async (context, [id = '']) => done((await import('./task-log.ts')).showLog(id, context)),
    },
    {
      name: 'answer',
      takes: ['ID', '[ANSWER]…'],
      flags: ['comment'],
      help: 'answers the question of a task: an option, by its id, number or the beginning of its label, or a text; asks you without one',
      json: view,
      run: async (context, [id = '', ...words]) =>
        done((await import('./answer-task.ts')).answerTaskQuestion(id, words, context)),
    },
    {
      name: 'wait',
      takes: ['ID…'],
      help: 'waits until tasks are over, and prints their summaries; exits 0, with the code of a failed one, or 130 if canceled',
      json: `${view}; a line each, as they end`,
      run: async (context, ids) => (await import('./wait.ts')).waitForTasks(ids, context),
    },
    {
      name: 'diff',
      takes: ['ID'],
      flags: ['stat'],
      help: 'what a task has changed, as a unified diff',
      json: '{"task_id", "files": [{"path", "added"?, "removed"?}], "diff"}',
      run: async (context, [id = '']) => done((await import('./work.ts')).showDiff(id, context)),
    },
    {
      name: 'apply',
      takes: ['ID'],
      flags: ['force'],
      help: 'merges what a task has changed into your files, all of it or nothing (exit 42); twice is the same as once',
      json: '{"task_id", "applied": [path], "conflicts": [path]}',
      run: async (context, [id = '']) => (await import('./work.ts')).applyTaskWork(id, context),
    },
    {
      name: 'discard',
      takes: ['ID'],
      help: 'forgets what a task has changed, once it is over',
      json: '{"task_id"}',
      run: async (context, [id = '']) => done((await import('./work.ts')).discardWork(id, context)),
    },
    {
      name: 'cancel',
      takes: ['ID', '[REASON]…'],
      help: 'ends a task that is not over',
      json: view,
      run: async (context, [id = '', ...reason]) =>
        done((await import('./change.ts')).cancel(id, reason.join(' '), context)),
    },
    {
      name: 'retry',
      takes: ['ID'],
      help: 'puts a failed or canceled task on the board again, as a new one, and prints its id',
      json: view,
      run: async (context, [id = '']) => done((await import('./change.ts')).retry(id, context)),
    },
  ],
  flags: ['cd', ...asJson],
  example: 'pipe task add "update the lock file" --priority background --ref package.json:1-40',
  exitCodes: [42],
}
