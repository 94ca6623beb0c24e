import type { RunContext } from '../run-context.ts'
import { acpCommand } from './acp/acp-command.ts'
import { agentsCommand } from './agents/agents-command.ts'
import { attachCommand } from './attach/attach-command.ts'
import { asJson, type CliAction, type CliCommands, done } from './cli-command.ts'
import { completionCommand } from './completion/completion-command.ts'
import { configCommand } from './config/config-command.ts'
import { hooksCommand } from './hooks/hooks-command.ts'
import { importConfigCommand } from './import/import-config-command.ts'
import { mcpCommand } from './mcp/mcp-command.ts'
import { memoryCommand } from './memory-command.ts'
import { pluginCommand } from './plugin/plugin-command.ts'
import { raceCommand } from './race/race-command.ts'
import { replayCommand } from './replay/replay-command.ts'
import type { SchemaName } from './schema-command.ts'
import { serveCommand } from './serve/serve-command.ts'
import { sessionsCommand } from './sessions/sessions-command.ts'
import { skillsCommand } from './skills/skills-command.ts'
import { taskCommand } from './task/task-command.ts'
import { workerCommand } from './worker/worker-command.ts'

/** The flags of commands that read the settings and work in a folder. */
const inFolder = ['cd', 'trust'] as const

/** Every command of this version. Loads a command's code only when it runs. */
export const commands: CliCommands = {
  sessions: sessionsCommand,
  recall: {
    about: 'find earlier conversations by the words in their messages, and by their meaning',
    actions: [
      {
        takes: ['WORDS…'],
        help: 'find sessions in all folders with these words or this meaning; print the best first, each with an excerpt',
        json: '{"sessions": [{"id", "created_at", "updated_at", "cwd"?, "title"?, "opening"?, "excerpt"?}], "total", "ranking"}',
        run: async (context, words) =>
          done((await import('./sessions/recall-command.ts')).recallWords(words, context)),
      },
    ],
    flags: ['cd', 'quiet', 'verbose', ...asJson],
    example: 'pipe recall flaky lock test --since 30d',
    exitCodes: [],
  },
  memory: memoryCommand,
  mcp: mcpCommand,
  'import-config': importConfigCommand,
  plugin: pluginCommand,
  models: {
    about: 'list the available models: context windows, prices, abilities, and what is missing',
    actions: [
      {
        takes: ['[FILTER]'],
        help: 'list all models, or those whose name contains FILTER',
        json: '{"models": [{"model", "context_window"?, "max_output"?, "price"?, …, "usable", "missing"?}]}',
        run: async (context, [filter]) =>
          done((await import('./models-command.ts')).listModels(filter, context)),
      },
    ],
    flags: [...inFolder, ...asJson],
    example: 'pipe models sonnet',
    exitCodes: [52],
  },
  agents: agentsCommand,
  skills: skillsCommand,
  hooks: hooksCommand,
  auth: {
    about: 'show, store and remove the keys of providers',
    actions: [
      {
        name: 'status',
        takes: ['[PROVIDER]'],
        help: 'show where each key comes from, or that of one provider',
        json: '{"providers": [{"provider", "usable", "source"?, "variable"?}]}',
        run: async (context, [provider]) => done((await import('./auth.ts')).showKeys(provider, context)),
      },
      {
        name: 'list',
        help: 'list the providers with a stored key',
        json: '{"stored": [provider]}',
        run: async (context) => done((await import('./auth.ts')).listStored(context)),
      },
      {
        name: 'set',
        aliases: ['login', 'add'],
        takes: ['PROVIDER'],
        help: 'store a key, typed at a prompt or read from stdin',
        surplus:
          'a key on the command line is visible to other programs: type it at the prompt, or pass it on stdin. ' +
          'To send the words as a prompt: pipe -- auth …',
        run: async (context, [provider = '']) => done((await import('./auth.ts')).setKey(provider, context)),
      },
      {
        name: 'remove',
        aliases: ['logout', 'rm'],
        takes: ['PROVIDER'],
        help: 'delete a stored key',
        run: async (context, [provider = '']) =>
          done((await import('./auth.ts')).removeKey(provider, context)),
      },
    ],
    flags: [...inFolder, ...asJson],
    example: 'pipe auth set anthropic',
    exitCodes: [42, 52],
  },
  trust: {
    about: 'trust this folder, what its settings allow, its agents and hooks',
    actions: [
      {
        name: 'add',
        help: 'trust the folder as it is now',
        run: async (context) => done((await import('./permissions/trust-command.ts')).addTrust(context)),
      },
      {
        name: 'list',
        help: 'list the folders that you decided about',
        json: '{"folders": [{"folder", "trusted", "at"}]}',
        run: async (context) => done((await import('./permissions/trust-command.ts')).listTrust(context)),
      },
      {
        name: 'remove',
        aliases: ['rm', 'forget'],
        help: 'delete the decision on this folder',
        run: async (context) => done((await import('./permissions/trust-command.ts')).removeTrust(context)),
      },
    ],
    flags: ['cd', ...asJson],
    example: 'pipe trust list',
    exitCodes: [42, 52, 55],
  },
  permissions: {
    about: 'show the rules in force, or judge a call without running it',
    actions: [
      {
        name: 'list',
        help: 'show the mode, and each rule with its source',
        json: '{"mode", "rules": [{"rule", "behavior", "source", "origin"?}]}',
        run: async (context) => done((await import('./permissions/permissions.ts')).listRules(context)),
      },
      {
        name: 'check',
        help: 'judge one call, or one JSON object per line of stdin: {"tool", "input"}; exit 0, 45 (would ask) or 50 (denied)',
        json: '{"decision", "rule", "source", "reason"}; on stdin a line for each call, with --json or without',
        run: async (context) => (await import('./permissions/permissions.ts')).checkCalls(context),
      },
    ],
    flags: [...inFolder, 'add-dir', 'permission-mode', 'allowed-tools', 'disallowed-tools', ...asJson],
    example: "pipe permissions check --command 'git push'",
    exitCodes: [45, 50, 52],
  },
  undo: {
    about: 'restore the files as they were before the last turn',
    actions: [
      {
        takes: ['[N]'],
        help: 'undo the last turn, or the last N; --list lists them, --redo redoes them',
        json: '{"turns": [{"type", "session_id", "label", "at"}]}; without --list each turn lists its files',
        run: async (context, [count]) => {
          const { readCount, runUndo } = await import('./undo-command.ts')
          return runUndo(readCount(count), context)
        },
      },
    ],
    flags: ['session', 'cd', ...asJson],
    example: 'pipe undo --list',
    exitCodes: [42],
  },
  replay: replayCommand,
  race: raceCommand,
  task: taskCommand,
  worker: workerCommand,
  serve: serveCommand,
  attach: attachCommand,
  acp: acpCommand,
  doctor: {
    about: 'report what works, what is missing, and how to fix it',
    actions: [
      {
        help: 'check keys, settings, folders, programs, servers and the sandbox; change nothing',
        json: '{"ok", "checks": [{"name", "state": "ok" | "missing" | "broken", "text", "remedy"?}]}',
        run: async (context) => (await import('./doctor/doctor.ts')).runDoctor(context),
      },
    ],
    flags: [...inFolder, ...asJson],
    example: 'pipe doctor --json',
    exitCodes: [52],
  },
  audit: {
    about: 'show what was decided and done, and by whom',
    actions: [
      readsLog('show', 'print a log, one line per entry', async (context, id) =>
        (await import('./audit/audit-command.ts')).showAudit(id, context),
      ),
      {
        name: 'list',
        help: 'list the logs about this folder, newest first',
        json: '{"logs": [{"session_id", "updated_at"}]}',
        run: async (context) => done((await import('./audit/audit-command.ts')).listAudits(context)),
      },
      readsLog('export', 'print a log as JSON', async (context, id) =>
        (await import('./audit/audit-command.ts')).exportAudit(id, context),
      ),
      {
        ...readsLog('verify', 'check that a log is unchanged (exit 50 if not)', async (context, id) =>
          (await import('./audit/audit-verify.ts')).verifyAudit(id, context),
        ),
        json: '{"session_id", "ok", "lines", "head", "fault"?}',
      },
      {
        name: 'feedback',
        takes: ['MESSAGE_ID', 'TEXT…'],
        help: 'record feedback on a message; the model gets it with the next one',
        run: async (context, [message = '', ...text]) => {
          const { leaveFeedback } = await import('./audit/audit-feedback.ts')
          return done(leaveFeedback({ message, text: text.join(' ') }, context))
        },
      },
    ],
    flags: ['session', 'cd', ...asJson],
    example: 'pipe audit feedback 5f0c1e8a "please reconsider"',
    exitCodes: [42, 50],
  },
  schema: {
    about: 'print the JSON Schema of what pipe writes and reads',
    needsAction: true,
    actions: [
      schemaAction('events', 'describe a line of -o stream-json'),
      schemaAction('session', 'describe a session file'),
      schemaAction('config', 'describe config.json'),
      schemaAction('audit', 'describe a line of an audit log'),
      schemaAction('task', 'describe a line of the log of tasks'),
      schemaAction('envelope', 'describe what pipe -o pipe prints'),
    ],
    flags: [],
    example: 'pipe schema config > config.schema.json',
    exitCodes: [],
  },
  config: configCommand,
  completion: completionCommand(() => commands),
  demo: {
    about: 'show the agent at work, without a key or network',
    actions: [
      {
        help: 'let a recorded model fix a small real project in a temporary folder',
        run: async (context) => (await import('./demo/demo.ts')).demo(context),
      },
    ],
    flags: [],
    example: 'pipe demo',
    exitCodes: [50],
  },
  help: {
    about: 'explain a command, a term (pipe help terms lists them), or what each exit code means',
    actions: [
      {
        takes: ['[COMMAND | TERM | exit-codes | licences]', '[ACTION]…'],
        help: 'explain a command as pipe COMMAND --help does, or a term such as elf, turn or TaskView',
        anywhere: true,
        run: async ({ host, flags }, words) => {
          const text = flags.has('man')
            ? (await import('./man/man-page.ts')).manPage(commands)
            : await (await import('../terms/help-topic.ts')).helpTopic(words, commands, host.packageFolder)
          host.stdout.write(text)
          return 0
        },
      },
    ],
    flags: [],
    example: 'pipe help sessions',
    exitCodes: [],
  },
}

/** Builds an action on a session's log. Without an ID, it uses the log of the last conversation in this folder. */
function readsLog(
  name: string,
  help: string,
  run: (context: RunContext, id: string | undefined) => Promise<void>,
): CliAction {
  return {
    name,
    takes: ['[ID]'],
    help,
    json: '{"entries": [{"id", "timestamp", "message", "decision", "audit"}]}',
    run: (context, [id]) => done(run(context, id)),
  }
}

function schemaAction(name: SchemaName, help: string): CliAction {
  return {
    name,
    help,
    formats: ['json'],
    anywhere: true,
    run: async ({ host }) => done((await import('./schema-command.ts')).printSchema(name, host)),
  }
}
