import { describe, expect, it } from 'vitest'
import { PipeError } from '../../../src/error.ts'
import type { FrontendApi, OutputFile, Paged } from '../../../src/frontend/conversation-view.ts'
import type { Key } from '../../../src/ink/tty/key.ts'
import { drawView } from '../../../src/ink/view/view-draw.ts'
import type { JsonObject } from '../../../src/json-value.ts'
import { deferred } from '../../support/clocks/deferred.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { assistant, text, user } from '../../support/messages/messages.ts'
import { asks, bashEnds, bashRuns, delta, roundEnd, thought, type Unstamped } from '../conversation.ts'
import { plain } from '../screen-text.ts'
import { openConversation, type Setup } from '../scripted-conversation.ts'

const press = (name: string): Key => ({ type: 'press', name })
const typed = (words: string): Key => ({ type: 'text', text: words })
const begun: Unstamped = { type: 'turn_start', message: user(text('go')) }
const over: Unstamped = {
  type: 'turn_end',
  stopReason: 'end_turn',
  rounds: 1,
  usage: { inputTokens: 0, outputTokens: 0 },
}

/** Opens a conversation, plays its turn to the end, and reads the open view. */
async function play(setup: Setup) {
  const opened = openConversation(setup)
  const { store, clock, type } = opened
  if (setup.events !== undefined) {
    type('go')
    await expect.poll(() => store.screen.busySince).toBeUndefined()
    clock.advance(1_000)
  }
  store.show()
  const rows = () => (store.screen.view === undefined ? [] : plain(drawView(store.screen, store.screen.view)))
  return {
    ...opened,
    rows,
    body: () =>
      rows()
        .slice(1, -1)
        .filter((row) => row !== ''),
  }
}

const agentId = countingIds().agent()

/** Creates the end of the first call, with details for the user. */
function endsWith(output: string, details: JsonObject): Unstamped {
  return {
    type: 'tool_end',
    callId: 'call_1',
    isError: false,
    content: [text(output)],
    details,
    durationMs: 1_200,
  }
}

const calls: readonly Unstamped[] = [
  begun,
  ...bashRuns('call_1', 'ls', 'a.txt'),
  bashEnds('call_1', 'a.txt\nb.txt'),
  ...bashRuns('call_2', 'npm test', 'bad'),
  bashEnds('call_2', 'not ok 1\nbad', true),
  roundEnd,
  over,
]

describe('the output of calls', () => {
  it('is that of the last one first, then of the others', async () => {
    const { controller, rows, body } = await play({ events: calls })
    controller.key(press('ctrl+o'))
    await expect.poll(() => rows()[0]).toBe('── bash  npm test ────────── call 2 of 2 · failed · 1.2 s ──')
    expect(body()).toEqual(['not ok 1', 'bad'])
    controller.key(typed('['))
    await expect.poll(body).toEqual(['a.txt', 'b.txt'])
    controller.key(press('left'))
    controller.key(press('tab'))
    await expect.poll(body).toEqual(['not ok 1', 'bad'])
  })

  it('is there for a resumed conversation', async () => {
    const call = { type: 'tool_call', id: 'call_1', name: 'bash', arguments: { command: 'ls' } } as const
    const history = [
      user(text('go')),
      assistant(call),
      {
        ...user(text('a.txt')),
        type: 'tool_result',
        toolCallId: 'call_1',
        toolName: 'bash',
        isError: false,
      } as const,
    ]
    const { controller, body } = await play({ history })
    controller.key(press('ctrl+o'))
    await expect.poll(body).toEqual(['a.txt'])
  })

  it('is missing before a call has ended, and says so', async () => {
    const { controller, notes, rows } = await play({})
    controller.key(press('ctrl+o'))
    expect([notes().at(-1), rows()]).toEqual(['No tool call has ended yet.', []])
  })

  it('is read from its file if it was too long for the model, and the file is closed', async () => {
    const closed: string[] = []
    const whole = new TextEncoder().encode('the\nwhole\noutput\n')
    const file = (path: string): OutputFile => ({
      size: whole.length,
      read: (at, length) => whole.subarray(at, at + length),
      close: () => closed.push(path),
    })
    const end = endsWith('the … output', { spill: '/files/bash.log' })
    const events = [begun, ...bashRuns('call_1', 'ls', ''), end, roundEnd, over]
    const openOutput = async (path: string) => file(path)
    const { controller, body } = await play({ events, api: { openOutput } })
    controller.key(press('ctrl+o'))
    await expect.poll(body).toEqual(['the', 'whole', 'output'])
    expect(closed).toEqual([])
    controller.key(typed('q'))
    expect(closed).toEqual(['/files/bash.log'])
  })

  it('is the result of the call once the file is gone', async () => {
    const end = endsWith('the … output', { spill: '/files/bash.log' })
    const openOutput = async () => {
      throw new PipeError('not_found', 'gone')
    }
    const events = [begun, ...bashRuns('call_1', 'ls', ''), end, roundEnd, over]
    const { controller, body } = await play({ events, api: { openOutput } })
    controller.key(press('ctrl+o'))
    await expect.poll(body).toEqual(['the … output'])
  })

  it('opens in the pager of the user, whose failure the view tells', async () => {
    const paged: Paged[] = []
    const page = async (one: Paged) => {
      paged.push(one)
      throw new PipeError('tool', 'the pager less is not installed')
    }
    const { controller, rows } = await play({ events: calls, api: { page }, lend: (use) => use() })
    controller.key(press('ctrl+o'))
    await expect.poll(rows).not.toEqual([])
    controller.key(typed('v'))
    await expect.poll(() => rows().at(-1)).toMatch(/^the pager less is not installed/)
    expect(paged).toEqual([{ type: 'text', text: 'not ok 1\nbad' }])
  })
})

describe('a search in a view', () => {
  it('shows the line found, goes on, and says when it begins again or finds nothing', async () => {
    const lines = Array.from({ length: 100 }, (_, i) => `line ${i + 1}`)
    const events = [
      begun,
      ...bashRuns('call_1', 'ls', ''),
      bashEnds('call_1', lines.join('\n')),
      roundEnd,
      over,
    ]
    const { controller, rows } = await play({ events })
    controller.key(press('ctrl+o'))
    await expect.poll(rows).not.toEqual([])
    const search = async (keys: string, top: string, status: RegExp) => {
      controller.key(typed(keys))
      if (keys.startsWith('/')) controller.key(press('enter'))
      await expect.poll(() => [rows()[1], rows().at(-1)]).toEqual([top, expect.stringMatching(status)])
    }
    await search('/line 5', 'line 5', /^5–22 of 100/)
    await search('n', 'line 50', /^50–67 of 100/)
    await search('N', 'line 5', /^5–22 of 100/)
    await search('N', 'line 59', /^from the end/)
    await search('/nothing', 'line 59', /^not found/)
  })
})

describe('the thoughts', () => {
  it('are shown whole, also while the model thinks on, until the view closes', async () => {
    const { controller, store, type, rows, body } = await play({})
    const see = (event: Unstamped) =>
      store.dispatch({ type: 'agent', event: { ...event, agentId, seq: 1 }, at: 0 })
    type('go')
    see(thought('First I look. '))
    see(delta('I looked.'))
    see({ type: 'thinking_delta', id: 'thinking_2', delta: 'Then I ' })
    store.show()
    controller.key(press('ctrl+t'))
    expect([rows()[0], body()]).toEqual([
      '── Thoughts ─────────────────────────────────── thinking… ──',
      ['First I look.', '· · ·', 'Then I'],
    ])
    see({ type: 'thinking_delta', id: 'thinking_2', delta: 'write.' })
    store.show()
    expect(body()).toEqual(['First I look.', '· · ·', 'Then I write.'])
    controller.key(press('esc'))
    expect(rows()).toEqual([])
  })
})

describe('a question that opens behind a view', () => {
  it('is told, and no key typed into the view or closing it answers it', async () => {
    const events = [begun, asks('rm -rf build'), 'wait'] as const
    const { controller, store, clock, type, commands, rows } = await play({})
    type('/help')
    expect(rows()[1]).toBe('Commands')
    for (const event of events)
      if (event !== 'wait') store.dispatch({ type: 'agent', event: { ...event, agentId, seq: 1 }, at: 0 })
    clock.advance(5_000)
    controller.key(press('down'))
    expect(rows().at(-1)).toMatch(/^pipe has a question for you: Esc shows it/)
    for (const key of ['y', '1', 'a', 'yyy', '\n', 'q']) controller.key(typed(key))
    controller.key(typed('y'))
    controller.key(press('enter'))
    expect([commands, store.screen.questions.length, store.screen.view]).toEqual([[], 1, undefined])
  })
})

describe('the keys of views beside a question', () => {
  /** Opens a question that keys answer. */
  async function ask() {
    const opened = await play({ events: calls })
    const { store, clock } = opened
    const event = { ...asks('rm -rf build'), agentId, seq: 1 }
    store.dispatch({ type: 'agent', event, at: clock.monotonic() })
    for (const ms of [80, 5_000]) {
      clock.advance(ms)
      store.show()
    }
    return opened
  }

  it('open them, and the question has to be read again', async () => {
    const { controller, store, clock, commands, rows } = await ask()
    controller.key(press('ctrl+o'))
    expect(rows()[0]).toMatch(/^── bash {2}npm test/)
    controller.key(press('ctrl+o'))
    controller.key(press('ctrl+t'))
    expect(rows()[0]).toMatch(/^── Thoughts/)
    controller.key(press('ctrl+t'))
    clock.advance(80)
    controller.key(typed('y'))
    controller.key(press('enter'))
    expect([rows(), store.screen.questions.length, commands]).toEqual([[], 1, []])
  })

  it('let the user go on with an answer in words', async () => {
    const { controller, store } = await ask()
    for (const key of [typed('w'), typed('not '), press('ctrl+o'), typed('q')]) controller.key(key)
    store.show()
    controller.key(typed('now'))
    expect([store.screen.questions[0]?.words?.text, store.screen.prompt.text]).toEqual(['not now', ''])
  })
})

describe('/context, /cost and /diff', () => {
  it('show the shares of the window', async () => {
    const { type, rows } = await play({})
    type('/context')
    expect(rows().slice(0, 9)).toEqual([
      `── Context of test/small ${'─'.repeat(35)}`,
      '300 of 1,000 tokens · 30 %',
      '',
      '░'.repeat(12) + '▒'.repeat(30),
      '',
      '░ free                                200    20 %',
      '▒ kept for the reply                  500    50 %',
      '',
      'Sizes by kind are estimates.',
    ])
  })

  it('show the cost of each model, and what its replies do not explain', async () => {
    const reply = {
      ...assistant(text('Yes.')),
      provider: 'test',
      model: 'large',
      metadata: { cost_usd: '0.25' },
    }
    const usage = { inputTokens: 2_000, outputTokens: 100 }
    const { type, body } = await play({ history: [user(text('go')), { ...reply, usage }] })
    type('/cost')
    expect(body()).toEqual([
      '            requests  input  cached  output     cost',
      'test/large         1     2k             100  $0.2500',
      'total              1     2k             100  $0.2500',
      'Input includes what was read from the cache.',
    ])
  })

  const diff = [
    'diff --git a/a.ts b/a.ts',
    '--- a/a.ts',
    '+++ b/a.ts',
    '@@ -1 +1 @@',
    '-const a = 1',
    '+const a = 2',
    'diff --git a/b.md b/b.md',
    '--- /dev/null',
    '+++ b/b.md',
    '@@ -0,0 +1 @@',
    '+# Title',
    '',
  ].join('\n')

  it('show what turns changed: the files, then their diffs', async () => {
    const asked: boolean[] = []
    const changes: FrontendApi['changes'] = async ({ isAll }) => {
      asked.push(isAll)
      return diff
    }
    const { controller, type, rows } = await play({ api: { changes } })
    type('/diff all')
    await expect.poll(() => rows()[0]).toMatch(/^── What this conversation changed ─.* 2 files · \+2 −1 ──$/)
    expect(rows().slice(1, 5)).toEqual([
      '  a.ts                                                 +1 −1',
      '  b.md                                                 +1 −0',
      '',
      '  a.ts',
    ])
    expect(asked).toEqual([true])
    controller.key(typed(']'))
    controller.key(press('esc'))
    expect(rows()).toEqual([])
  })

  it('show what the last turn changed only once the engine has saved its files', async () => {
    const saving = deferred()
    const asked: string[] = []
    let files = 'not saved yet'
    const changes = async () => {
      asked.push(files)
      return diff
    }
    const { controller, store, type, notes, rows } = await play({
      events: [begun, over],
      saved: saving.promise,
      api: { changes },
    })
    type('/diff')
    expect([store.screen.task?.doing, asked, rows()]).toEqual(['comparing files', [], []])
    controller.key(press('esc'))
    await expect.poll(() => notes().at(-1)).toBe('stopped comparing files')
    type('/diff')
    await expect.poll(() => store.screen.task?.doing).toBe('comparing files')
    files = 'saved'
    saving.resolve()
    await expect.poll(() => rows()[0]).toMatch(/^── What the last turn changed ─/)
    expect(asked).toEqual(['saved'])
  })

  it('show what is known while a turn runs', async () => {
    const end = endsWith('edited', { diff: diff.slice(0, diff.indexOf('diff --git a/b')) })
    const { store, transcript, type } = openConversation({
      events: [begun, ...bashRuns('call_1', 'x', ''), end, 'wait'],
    })
    type('go')
    await expect.poll(() => transcript.at(-1)?.type).toBe('tool')
    type('/diff')
    await expect.poll(() => store.screen.view?.title).toBe('What the last edits changed')
    expect(store.screen.busySince).toBeDefined()
  })

  it('show the edits that are known where no files were saved, and say if there are none', async () => {
    const end = endsWith('edited', { diff: diff.slice(0, diff.indexOf('diff --git a/b')) })
    const events = [begun, ...bashRuns('call_1', 'x', ''), end, roundEnd, over]
    const { type, rows } = await play({ events })
    type('/diff')
    await expect.poll(() => rows()[0]).toMatch(/^── What the last edits changed ─.* 1 file · \+1 −1 ──$/)
    const none = await play({})
    none.type('/diff')
    await expect.poll(() => none.notes().at(-1)).toBe('No turn of this conversation has changed files.')
  })
})

describe('/copy', () => {
  const answer = 'Look:\n\n```js\nconst a = 1\n```\n\nDone \u001b]0;x\u0007it.'
  const history = [user(text('one')), assistant(text('First.')), user(text('two')), assistant(text(answer))]
  const screenApi = { saveTheme: async () => 'saved' }
  const clipboard = (doubt?: string) => {
    const copied: string[] = []
    return { copied, clipboard: { put: (one: string) => void copied.push(one), doubtOf: () => doubt } }
  }

  it('copies the last answer, an earlier one, or the last code, without control characters', async () => {
    const { copied, clipboard: board } = clipboard()
    const { type, notes } = await play({ history, clipboard: board, api: screenApi })
    for (const line of ['/copy', '/copy 2', '/copy code', '/copy 9']) type(line)
    await expect
      .poll(() => notes().slice(-4))
      .toEqual([
        'Copied the last answer: 7 lines, 38 bytes.',
        'Copied answer 2 from the end: 1 line, 6 bytes.',
        'Copied the last code block: 1 line, 11 bytes.',
        'there is no answer 9 here: the oldest is /copy 2',
      ])
    expect(copied).toEqual(['Look:\n\n```js\nconst a = 1\n```\n\nDone it.', 'First.', 'const a = 1'])
  })

  it('says what may keep the text from arriving, and what is too long', async () => {
    const { copied, clipboard: board } = clipboard('the console has no clipboard')
    const long = [user(text('one')), assistant(text('x'.repeat(100_001)))]
    const short = await play({ history, clipboard: board, api: screenApi })
    short.type('/copy code')
    expect(short.notes().at(-1)).toBe(
      'Copied the last code block: 1 line, 11 bytes. (the console has no clipboard; /export FILE.md writes a file)',
    )
    const { type, notes } = await play({ history: long, clipboard: board, api: screenApi })
    type('/copy')
    await expect.poll(() => notes().at(-1)).toMatch(/^too long for the clipboard: 100 kB/)
    expect(copied).toHaveLength(1)
  })
})
