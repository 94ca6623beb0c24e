import { asJson, type CliCommand, done } from '../cli-command.ts'

const view =
  '{"task_id", "title", "intent", "created_by", "agent_id", "priority", "status", …, "created_at", "updated_at"}'

/** The command `task`. */
export const taskCommand: CliCommand = {
  about: 'keep tasks on a board; pipe worker carries them out',
  actions: [
    {
      name: 'list',
      aliases: ['ls', 'board'],
      help: 'show the board: tasks that wait for you, those at work, open ones by priority and age, then ended ones',
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
      help: 'put a task on the board, and print its id',
      json: view,
      run: async (context, words) => done((await import('./add.ts')).addNewTask(words.join(' '), context)),
    },
    {
      name: 'show',
      takes: ['ID'],
      help: 'show a task; ID is an id or its first characters, at least 4',
      json: view,
      run: async (context, [id = '']) => done((await import('./show.ts')).showTask(id, context)),
    },
    {
      name: 'log',
      takes: ['ID'],
      flags: ['follow'],
      help: 'show what happened to a task, one line each; with --json its events as stored, one line each',
      json: '{"id", "stream_id", "seq", "created_at", "type", "payload"} on each line; see pipe schema task',
      run: async (context, [id = '']) => done((await import('./task-log.ts')).showLog(id, context)),
    },
    {
      name: 'answer',
      takes: ['ID', '[ANSWER]…'],
      flags: ['comment'],
      help: "answer a task's question with a text or an option, named by its id, number or the beginning of its label; default: ask you",
      json: view,
      run: async (context, [id = '', ...words]) =>
        done((await import('./answer-task.ts')).answerTaskQuestion(id, words, context)),
    },
    {
      name: 'wait',
      takes: ['ID…'],
      help: 'wait until tasks are over, and print their summaries; exit 0, with the code of a failed one, or 130 if canceled',
      json: `${view}; a line each, as they end`,
      run: async (context, ids) => (await import('./wait.ts')).waitForTasks(ids, context),
    },
    {
      name: 'diff',
      takes: ['ID'],
      flags: ['stat'],
      help: "print a task's changes as a unified diff",
      json: '{"task_id", "files": [{"path", "added"?, "removed"?}], "diff"}',
      run: async (context, [id = '']) => done((await import('./work.ts')).showDiff(id, context)),
    },
    {
      name: 'apply',
      takes: ['ID'],
      flags: ['force'],
      help: "merge a task's changes into your files, all or none (exit 42); a second time does nothing",
      json: '{"task_id", "applied": [path], "conflicts": [path]}',
      run: async (context, [id = '']) => (await import('./work.ts')).applyTaskWork(id, context),
    },
    {
      name: 'discard',
      takes: ['ID'],
      help: "delete a finished task's changes",
      json: '{"task_id"}',
      run: async (context, [id = '']) => done((await import('./work.ts')).discardWork(id, context)),
    },
    {
      name: 'cancel',
      takes: ['ID', '[REASON]…'],
      help: 'end an unfinished task',
      json: view,
      run: async (context, [id = '', ...reason]) =>
        done((await import('./change.ts')).cancel(id, reason.join(' '), context)),
    },
    {
      name: 'retry',
      takes: ['ID'],
      help: 'put a failed or canceled task on the board again, as a new one, and print its id',
      json: view,
      run: async (context, [id = '']) => done((await import('./change.ts')).retry(id, context)),
    },
  ],
  flags: ['cd', ...asJson],
  example: 'pipe task add "update the lock file" --priority background --ref package.json:1-40',
  exitCodes: [42],
}
