import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { lookOf } from '../../src/cli/wiring/tools/known-tools.ts'
import type { ElvesAtWork } from '../../src/elf.ts'
import { PipeError } from '../../src/error.ts'
import { runChat } from '../../src/line/chat.ts'
import type { ChatApi } from '../../src/line/chat-command.ts'
import { asElfReport, textContent } from '../../src/message.ts'
import { type PermissionMode, permissionModes } from '../../src/permission.ts'
import type { ScriptRound } from '../../src/replay/script.ts'
import type { SessionSummary } from '../../src/session.ts'
import { textResult } from '../../src/tool.ts'
import { deferred } from '../support/clocks/deferred.ts'
import { calls, openAgent, round, says } from '../support/conversations/agent.ts'
import { driven } from '../support/conversations/driven.ts'
import { scriptElves } from '../support/conversations/elf-news.ts'
import { capture } from '../support/conversations/host.ts'
import { scriptedTools } from '../support/conversations/scripted-tools.ts'
import { countingIds, otherIds } from '../support/messages/ids.ts'
import { text, user } from '../support/messages/messages.ts'
import { createTaskActions } from '../support/tasks/task-actions.ts'
import { taskId } from '../support/tasks/task-events.ts'
import { canceled, created, editQuestion } from '../support/tasks/task-list.ts'

const unused = () => Promise.reject(new Error('not expected'))

async function* earlier(): AsyncGenerator<SessionSummary, undefined, undefined> {
  const newId = countingIds()
  for (const opening of ['fix the parser', 'explain\nthis']) {
    const at = '2026-01-02T03:04:05.000Z'
    yield { id: newId.session(), createdAt: at, updatedAt: at, opening }
  }
  yield { id: newId.session(), createdAt: '', updatedAt: '', fault: 'damaged' }
}

/** Acts for the user while a command runs. */
interface Typist {
  /** Types a line. Resolves when it is read as a message. */
  type(line: string): Promise<void>
  /** Presses Ctrl+C. */
  interrupt(): void
}

interface Scene {
  readonly rounds?: readonly ScriptRound[]
  /** Runs when the model calls `bash`. */
  readonly bash?: (typist: Typist, signal: AbortSignal) => Promise<void>
  /** Default: `default`. */
  readonly mode?: PermissionMode
  /** Default: no mode is refused. */
  readonly refusal?: ChatApi['modeRefusal']
  /** Elves in the background. */
  readonly elves?: ElvesAtWork
  /** Reads the screen and types. */
  readonly reader?: Reader
}

type Reader = (io: {
  /** Returns all that was written. */
  readonly shown: () => string
  readonly type: (line: string) => void
}) => Promise<void>

/** Runs a conversation with a scripted model and types these lines at once. */
async function chatting(
  { rounds = [], bash = unused, mode: initial = 'default', refusal = () => undefined, elves, reader }: Scene,
  ...lines: readonly string[]
) {
  let mode = initial
  const keyboard = new PassThrough()
  const messages = new Map<string, () => void>()
  let interrupt = () => {}
  const typist: Typist = {
    type: (line) => {
      const { promise, resolve } = deferred()
      messages.set(line, resolve)
      keyboard.write(`${line}\r`)
      return promise
    },
    interrupt: () => interrupt(),
  }
  const executor = scriptedTools({
    bash: {
      // biome-ignore lint/correctness/useYield: a tool without output
      run: async function* (_, { signal }) {
        await bash(typist, signal)
        return textResult('ran')
      },
    },
  })
  const { conversation: open, engine } = openAgent({ rounds, executor })
  const conversation = driven(open, { elves })
  const view = {
    conversation,
    sessionId: 'abc',
    model: 'replay/script',
    get mode() {
      return mode
    },
    warnings: ['a damaged line'],
  }
  const api: ChatApi = {
    model: () => 'replay/script',
    resources: { running: () => [], has: () => false, find: async () => [] },
    isServerPrompt: () => false,
    compose: (words) => {
      messages.get(words)?.()
      return user(text(words))
    },
    prepare: () => undefined,
    complaint: () => undefined,
    branch: () => 'main',
    environment: () => ({ version: '1.2.3' }),
    contextWindow: () => undefined,
    chooseModel: unused,
    contextUse: () => engine.contextUse(),
    modeRefusal: refusal,
    readMode: (word) => permissionModes.find((one) => one === word),
    setMode: async (wanted) => {
      mode = wanted
      return undefined
    },
    trustQuestion: () => undefined,
    answerTrust: unused,
    startsAnew: () => false,
    undo: async ({ redo, force }) => `undone: ${redo} ${force}`,
    changes: async ({ isAll }) => `changed: ${isAll}`,
    permissions: async () => 'mode: default',
    doctor: async () => 'all is well',
    statusReport: async () => 'all is as it was',
    settings: {
      list: async () => [
        { key: 'audit', value: '"off"', origin: '~/config.json' },
        { key: 'markdown', usual: 'true', meaning: 'draw it', values: ['true', 'false'] },
      ],
      set: async (key, value) => `${key} is ${value}`,
    },
    hooks: async () => 'there are no hooks',
    skillReport: async () => 'there are no skills',
    agentReport: async () => 'there are no agents',
    toolServers: async (name) => `servers: ${name ?? 'all'}`,
    rename: async (title) => title,
    recall: async (words) => `recalled: ${words}`,
    remember: async (words, scope) => `kept for ${scope}: ${words}`,
    shellCommands: [],
    newConversation: unused,
    fork: unused,
    thinking: { level: () => undefined, levels: () => undefined, set: () => undefined },
    prompts: () => [{ name: 'fix', description: 'fix it', text: 'Fix $ARGUMENTS now', source: 'yours' }],
    background: { list: () => [], output: () => '', stop: unused },
    openConversation: unused,
    sessions: () => earlier(),
    messageTree: unused,
    goTo: unused,
    exportConversation: async (file = 'page') => `exported to ${file}`,
    tasks: createTaskActions({
      events: [created(1, 'Fix the parser'), created(2, 'Rename it'), canceled(2)],
    }),
  }
  const [stdout, stderr] = [capture(true), capture(true)]
  keyboard.write(lines.map((line) => `${line}\r`).join(''))
  const echo = new PassThrough()
  let echoed = ''
  echo.on('data', (bytes) => {
    echoed += String(bytes)
  })
  const reading = reader?.({
    shown: () => echoed + stdout.text(),
    type: (line) => keyboard.write(`${line}\r`),
  })
  const resumable = await runChat({
    look: lookOf,
    keyboard,
    echo,
    stdout,
    stderr,
    conversation: { view: () => view, api: () => api },
    columns: () => 80,
    signal: new AbortController().signal,
    onGone: () => undefined,
    watchInterrupt: (onInterrupt) => {
      interrupt = onInterrupt
      return () => undefined
    },
  })
  await reading
  const history = engine.history.map((message) => `${message.type}: ${textContent(message)}`)
  return { resumable, stdout: stdout.text(), stderr: stderr.text(), history }
}

const greeting = 'pipe: a damaged line\npipe replay/script · Ctrl+C stops, Ctrl+D leaves\n'

describe('a conversation line by line', () => {
  it('answers each line, and returns the session to resume', async () => {
    const rounds = [round(says('first')), round(says('second'))]
    expect(await chatting({ rounds }, 'one', 'two', '/quit')).toEqual({
      resumable: 'abc',
      stdout: 'first\nsecond\n',
      stderr: greeting,
      history: ['user: one', 'assistant: first', 'user: two', 'assistant: second'],
    })
  })

  it('reports on the program', async () => {
    const { stderr } = await chatting({}, '/permissions', '/doctor', '/mcp', '/mcp db', '/status', '/quit')
    expect(stderr).toBe(
      `${greeting}mode: default\nall is well\nservers: all\nservers: db\nall is as it was\n`,
    )
  })

  it.each([
    ['/config', 'audit = "off"  (~/config.json)\n/config KEY explains a setting; /config KEY VALUE sets it'],
    ['/config audit', 'audit = "off"  (~/config.json)'],
    ['/config markdown', 'markdown is not set\ndraw it\ndefault: true\nvalues: true, false'],
    ['/config markdwn', 'pipe: there is no setting called markdwn: did you mean markdown?'],
    ['/config model a b', 'model is a b'],
    ['/config model = a', 'model is a'],
    ['/config models."a/b.c".images true', 'models."a/b.c".images is true'],
  ])('shows and sets settings: %s', async (line, told) => {
    const { stderr } = await chatting({}, line, '/quit')
    expect(stderr).toBe(`${greeting}${told}\n`)
  })

  it('obeys commands, and has nothing to resume without a message', async () => {
    expect(await chatting({}, '', '/model', '/redo force', '/export a b.md', '/recall a b', '/exit')).toEqual(
      {
        resumable: undefined,
        stdout: '',
        stderr: `${greeting}model: replay/script\nundone: true true\nexported to a b.md\nrecalled: a b\n`,
        history: [],
      },
    )
  })

  it('summarises the history at once, and says what fills the context', async () => {
    const rounds = [round(says('first'))]
    const { stderr, history } = await chatting({ rounds }, 'one', '/compact', '/context', '/quit')
    expect(stderr.replace(greeting, '').split('\n')).toEqual([
      'pipe: nothing to summarise yet: the newest messages are kept as they are',
      'replay/script',
      expect.stringMatching(/^\d+ tokens; the window is unknown$/),
      ...[/^█ system prompt +\d+$/, /^█ tools \(1\) +\d+$/, /^█ your messages +\d+$/, /^█ replies +\d+$/].map(
        (row) => expect.stringMatching(row),
      ),
      'sizes by kind are estimates',
      '',
    ])
    expect(history).toEqual(['user: one', 'assistant: first'])
  })

  it('lists the other conversations with numbers, and takes a number only after that', async () => {
    const { stderr } = await chatting({}, '/resume', '/rewind 1', '/quit')
    expect(stderr).toBe(
      [
        `${greeting} 1  2026-01-02 03:04  fix the parser`,
        ' 2  2026-01-02 03:04  explain this',
        'skipped 1 session that cannot be read; pipe sessions says why',
        '/resume N continues one of them',
        'pipe: no message 1: /rewind lists them\n',
      ].join('\n'),
    )
  })

  it('continues after a command that fails', async () => {
    const { stderr } = await chatting({}, '/undoo', '/quit')
    expect(stderr).toBe(`${greeting}pipe: unknown command /undoo: did you mean /undo?\n`)
  })

  it('delivers a line typed during a turn at its next step', async () => {
    const rounds = [round(calls('tc_1', 'bash')), round(says('both done'))]
    const bash = (typist: Typist) => typist.type('that too')
    const { history } = await chatting({ rounds, bash }, 'this', '/quit')
    expect(history).toEqual([
      ...['user: this', 'assistant: ', 'tool_result: ran'],
      ...['user: that too', 'assistant: both done'],
    ])
  })

  it('sends the result of an elf in the background to the model, and asks its questions', async () => {
    const elves = scriptElves()
    const interaction = editQuestion(1)
    const reader: Reader = async ({ shown, type }) => {
      await expect.poll(shown).toContain('> \u001b[3Git works\n')
      // An elf may begin after the turn that sent it.
      elves.tell({ type: 'event', event: { type: 'turn_start', agentId: otherIds().agent(), seq: 1 } })
      elves.tell({ type: 'question', interaction })
      await expect.poll(shown).toContain('Allow edit?')
      type('1')
      elves.tell({
        type: 'report',
        message: asElfReport(user(text('[The elf e1 has ended in the background.]\n\nDone.'))),
      })
      await expect.poll(shown).toContain('it is done')
      type('/quit')
    }
    const rounds = [round(says('it works')), round(says('it is done'))]
    const { history } = await chatting({ rounds, elves, reader }, 'go')
    expect(history).toEqual([
      ...['user: go', 'assistant: it works'],
      'user: [The elf e1 has ended in the background.]\n\nDone.',
      'assistant: it is done',
    ])
    expect(elves.responses).toEqual([
      { interactionId: interaction.id, answeredBy: 'user_local', selectedOptionId: 'allow' },
    ])
  })

  it('lists the tasks that are not over, and puts one on the board', async () => {
    const { stderr } = await chatting({}, '/tasks', '/task write a poem', '/elves', '/quit')
    expect(stderr.replace(greeting, '').split('\n')).toEqual([
      `${taskId(1)}  open  Fix the parser`,
      'pipe task answer ID answers one that waits',
      `task ${taskId(1)} is on the board: write a poem`,
      'pipe: unknown command /elves: /help lists them',
      '',
    ])
  })

  it('stops a turn on Ctrl+C, withdraws undelivered lines, and continues', async () => {
    const rounds = [round(calls('tc_1', 'bash')), round(says('again'))]
    const bash = async (typist: Typist, signal: AbortSignal) => {
      await typist.type('that too')
      const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve))
      typist.interrupt()
      await stopped
    }
    const { stderr, history } = await chatting({ rounds, bash }, 'this', '/quit')
    expect(stderr).toContain('pipe: interrupted\n')
    expect(history.filter((line) => line.startsWith('user'))).toEqual(['user: this'])
  })
})

describe('a mode, line by line', () => {
  it('asks what becomes of a plan: a text is a no that the model gets, a yes goes on in another mode', async () => {
    const [a, b] = ['1. Do a.\n2. Do b.', '1. Do b.\n2. Do a.']
    const rounds = [a, b, 'Done.'].map((words) => round(says(words)))
    const { history, stderr } = await chatting({
      rounds,
      mode: 'plan',
      reader: async ({ shown, type }) => {
        type('how?')
        await expect.poll(shown).toContain('or type what to do instead')
        type('b first')
        await expect.poll(() => shown().split('Carry out this plan?')).toHaveLength(3)
        type('2')
        await expect.poll(shown).toContain('Done.')
        type('/quit')
      },
    })
    expect(history).toEqual([
      'user: how?',
      `assistant: ${a}`,
      'user: b first',
      `assistant: ${b}`,
      'user: Carry out the plan.',
      'assistant: Done.',
    ])
    expect(stderr).toContain('mode: accept edits\n')
  })

  it('asks once whether bypass is meant', async () => {
    const { stderr } = await chatting({
      reader: async ({ shown, type }) => {
        const asked = () => shown().split('Switch to bypass mode?').length - 1
        type('/mode bypass')
        await expect.poll(asked).toBe(1)
        type('n')
        type('/mode bypass')
        await expect.poll(asked).toBe(2)
        type('y')
        type('/mode plan')
        type('/mode bypass')
        type('/quit')
        await expect.poll(asked).toBe(2)
      },
    })
    const set = stderr.split('\n').filter((one) => one.startsWith('mode:'))
    expect(set).toEqual(['mode: bypass', 'mode: plan', 'mode: bypass'])
  })

  it('is refused before it is asked about', async () => {
    const refusal = (mode: PermissionMode) => new PipeError('usage', `not in mode ${mode}`)
    const rounds = [round(says('1. Do a.\n2. Do b.'))]
    const { stderr } = await chatting({ rounds, mode: 'plan', refusal }, 'how?', '/mode bypass', '/quit')
    expect(stderr).not.toMatch(/Switch to|Carry out/)
  })
})
