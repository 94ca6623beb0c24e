import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../src/event.ts'
import { type Message, textContent } from '../../../src/message.ts'
import { validateRequest } from '../../../src/provider.ts'
import type { Adapter } from '../../../src/stream.ts'
import { type ToolResult, textResult } from '../../../src/tool.ts'
import type { TurnHooks } from '../../../src/turn-hooks.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import type { AgentSetup } from '../../support/conversations/agent.ts'
import { brief, openAgent, play } from '../../support/conversations/agent.ts'
import { gives, type ScriptedTool, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import {
  earlier,
  long,
  looked,
  measured,
  prompted,
  sent,
  talked,
  told,
  unmeasured,
} from '../../support/messages/histories.ts'
import { otherIds } from '../../support/messages/ids.ts'
import { text, user } from '../../support/messages/messages.ts'
import { answers, choose, failsWith, uses } from '../../support/models/choices.ts'

const heading = '[The conversation before this, as a summary]'

/** A model with this window in tokens and these replies. */
function model(contextWindow: number | undefined, ...adapters: readonly Adapter[]) {
  return choose('a/big', adapters, contextWindow === undefined ? {} : { contextWindow, maxOutput: 64_000 })
}

/** Plays a turn after these messages and validates its requests. */
async function goOn(
  choice: ReturnType<typeof model>,
  messages: readonly Message[],
  { command = false, ...setup }: AgentSetup & { readonly command?: boolean } = {},
) {
  const agent = openAgent({ model: choice, newId: otherIds(), messages, ...setup })
  if (command) agent.engine.send({ type: 'compact' })
  const played = await play(agent, { message: told('hello') })
  for (const request of choice.requests) validateRequest(request)
  return { agent, ...played }
}

function compactions(events: readonly AgentEvent[]) {
  return events.flatMap((event) => (event.type === 'compaction' ? [event] : []))
}

describe('a conversation is compacted', () => {
  const hello = 2
  it.each([
    ['a tenth of a large window', 200_000, 180_000],
    ['16,384 tokens of a smaller one', 100_000, 83_616],
    ['half of a tiny one', 8_000, 4_000],
  ])('once its next request would leave less than %s for the reply', async (_, window, limit) => {
    const spoken = talked(long(window / 2, 'q'), 'An answer.')
    const upTo = (tokens: number) => earlier(...spoken, user(text('So?')), measured(tokens, text('So.')))
    const calm = model(window, answers('Fine.'))
    expect(compactions((await goOn(calm, upTo(limit - hello))).events)).toEqual([])
    expect(calm.requests).toHaveLength(1)
    const full = model(window, answers('What was said.'), answers('Fine.'))
    expect(compactions((await goOn(full, upTo(limit - hello + 1))).events)).toHaveLength(1)
    expect(full.requests).toHaveLength(2)
  })

  it('also by the size of the messages after the last complete reply', async () => {
    const before = earlier(
      ...talked(long(50_000), 'An answer.'),
      measured(60_000, text('So.')),
      user(text(long(14_000))),
      { ...measured(10, text(long(14_000))), stopReason: 'aborted' },
    )
    const { events } = await goOn(model(100_000, answers('What was said.'), answers('Fine.')), before)
    expect(compactions(events)).toMatchObject([{ tokensBefore: 88_002 }])
  })

  it.each([
    ['twice as many tokens as estimated', 20_000, 40_100 + 2 * 14_002],
    ['a little more', 36_000, 55_658],
    ['far fewer', 80_000, 50_602],
    ['implausibly more', 1_000, 40_100 + 4 * 14_002],
  ])('by estimates corrected by the server’s count: %s', async (_, estimated, total) => {
    const before = earlier(
      user(text(long(estimated - 3))),
      prompted(40_000, text('So.')),
      user(text(long(14_000))),
      { ...unmeasured(text('')), stopReason: 'aborted' },
    )
    const { events } = await goOn(model(total + 20_000, answers('What was said.'), answers('Fine.')), before)
    expect(compactions(events)).toEqual([])
    const less = await goOn(model(16_384 + total - 1, answers('What was said.'), answers('Fine.')), before)
    expect(compactions(less.events)).toMatchObject([{ tokensBefore: total }])
  })

  it('without a summary that is too long to make room', async () => {
    const before = earlier(
      ...talked(long(60_000), 'An answer.'),
      user(text('So?')),
      measured(90_000, text('So.')),
    )
    const { events } = await goOn(model(100_000, answers(long(50_000, 's')), answers('Fine.')), before)
    expect(compactions(events)).toMatchObject([{ summary: expect.stringContaining('without a summary') }])
  })

  it('never if the window is unknown', async () => {
    const before = earlier(...talked('Well?', 'Well.'), measured(10_000_000, text('So.')))
    const choice = model(undefined, answers('Fine.'))
    expect(compactions((await goOn(choice, before)).events)).toEqual([])
  })

  it('never if nothing older can be left out', async () => {
    const before = earlier(user(text(long(90_000))))
    const choice = model(100_000, answers('Fine.'))
    expect(compactions((await goOn(choice, before)).events)).toEqual([])
    expect(choice.requests).toHaveLength(1)
  })
})

describe('a summary', () => {
  const before = earlier(
    ...talked(long(60_000, 'q'), 'The old answer.'),
    user(text('Look at it.')),
    ...looked('tc_1', 'auth.ts: 12 lines'),
    measured(90_000, { type: 'thinking', thinking: 'Hm.', signature: 'proof' }, text('It has 12 lines.')),
  )
  const usage = { inputTokens: 60_000, outputTokens: 50 }
  const open = () => model(100_000, answers('They asked q.', usage), answers('Fine.'))

  it('replaces the older messages; the newer ones are sent unchanged', async () => {
    const choice = open()
    const { turn } = await goOn(choice, before)
    const [mark] = turn.messages.slice(1)
    expect(mark).toMatchObject({
      type: 'user',
      content: [text(`${heading}\n\nThey asked q.`)],
      metadata: { compacted_through: before[1]?.id, context: '0' },
    })
    expect(choice.requests[1]?.messages).toEqual([mark, ...before.slice(2), told('hello')])
    expect(choice.requests[1]?.messages.slice(1, 5).every((message, i) => message === before[i + 2])).toBe(
      true,
    )
  })

  it('is requested from the same model with the older messages as a text, without tools', async () => {
    const choice = open()
    const executor = scriptedTools({ read: gives('text') })
    await goOn({ ...choice, thinking: 'high' }, before, { executor })
    const [asked, next] = choice.requests
    expect(asked).toMatchObject({
      model: 'big',
      tools: [],
      maxTokens: 8_192,
      thinking: 'low',
      info: choice.info,
    })
    expect(asked?.systemPrompt).toMatch(/^You summarise the first part of a conversation/)
    expect(asked?.messages.map(textContent)).toEqual([
      `<conversation>\nPerson:\n ${long(60_000, 'q')}\nAgent:\n The old answer.\n</conversation>\n\nSummarise it.`,
    ])
    expect(next).toMatchObject({ systemPrompt: 'Be brief.', thinking: 'high', tools: executor.tools() })
  })

  it('is reported within the round, before the reply', async () => {
    const { events } = await goOn(open(), before)
    expect(events.map(brief)).toEqual([
      'turn_start',
      'state thinking',
      'round_start 1',
      'compaction',
      'text_delta Fine.',
      'message assistant',
      'state toolcall',
      'state reflecting',
      'round_end end_turn',
      'state idle',
      'turn_end end_turn',
    ])
    expect(compactions(events)).toMatchObject([
      { summary: `${heading}\n\nThey asked q.`, tokensBefore: 90_002, tokensAfter: 39 },
    ])
  })

  it('counts towards usage and cost', async () => {
    const { agent, turn } = await goOn(open(), before)
    expect(turn.usage).toEqual({ inputTokens: 60_010, outputTokens: 55 })
    expect(agent.engine.usage).toEqual(turn.usage)
  })

  it('adds one message to the session, which keeps all others', async () => {
    const { agent, turn } = await goOn(open(), before)
    expect(agent.journal).toEqual(['append user', 'sync', 'append user', 'append assistant', 'sync'])
    expect(agent.saved).toEqual(turn.messages)
    expect(agent.engine.history).toEqual([...before, ...turn.messages])
  })

  it('stays for the next turns until another one replaces it', async () => {
    const choice = model(
      100_000,
      answers('They asked q.'),
      answers(long(19_000, 'a'), { inputTokens: 20_000, outputTokens: 19_000 }),
      answers('Well.', { inputTokens: 100, outputTokens: 83_902 }),
      answers('They asked q, then hello.'),
      answers('Fine.'),
    )
    const { agent } = await goOn(choice, before)
    await play(agent, { message: user(text(long(10_000, 'n'))) })
    expect(choice.requests).toHaveLength(3)
    await play(agent, { message: user(text('Last.')) })
    expect(sent(choice.requests[3] ?? never())).toEqual([
      expect.stringMatching(
        /^<conversation>\nEarlier summary:\n \[The conversation.*\n \n They asked q\.\nPerson:\n Look/,
      ),
    ])
    expect(sent(choice.requests[4] ?? never())).toEqual([
      `${heading}\n\nThey asked q, then hello.`,
      long(10_000, 'n'),
      'Well.',
      'Last.',
    ])
  })

  it('in the middle of a turn carries the environment and the request, word for word', async () => {
    const environment = text('<environment>\nworking directory: /src\n</environment>')
    const asked = { ...user(environment, text('Mend the lock.')), metadata: { context: '1' } }
    const choice = model(
      50_000,
      works('tc_1', 20_000),
      works('tc_2', 34_000),
      answers('The lock was read.'),
      works('tc_3', 34_000),
      answers('The lock was mended.'),
      answers('Done.'),
    )
    const agent = openAgent({
      model: choice,
      newId: otherIds(),
      executor: scriptedTools({ read: gives('text') }),
    })
    await play(agent, { message: asked })
    const request = text('The request that is being worked on, word for word:')
    const carried = (words: string) => [
      environment,
      text(`${heading}\n\n${words}`),
      request,
      text('Mend the lock.'),
    ]
    expect(choice.requests.map(({ messages }) => messages[0]?.content)).toEqual([
      asked.content,
      asked.content,
      [expect.objectContaining({ type: 'text' })],
      carried('The lock was read.'),
      [expect.objectContaining({ type: 'text' })],
      carried('The lock was mended.'),
    ])
    expect(sent(choice.requests[5] ?? never()).slice(1)).toEqual([long(10_000), 'text'])
  })

  it('carries the instructions that came with results, through more than one summary', async () => {
    const environment = '<environment>\nworking directory: /src\n</environment>'
    const asked = { ...user(text(environment), text('Mend the lock.')), metadata: { context: '1' } }
    const choice = model(
      50_000,
      works('tc_1', 20_000),
      works('tc_2', 34_000),
      answers('The lock was read.'),
      works('tc_3', 34_000),
      answers('The lock was mended.'),
      answers('Done.'),
    )
    const rules = '\n\n[Use tabs.]'
    const results: ToolResult[] = [
      { content: [text('text'), text(rules)], isError: false, instructions: ['/src/AGENTS.md'] },
    ]
    const read: ScriptedTool = {
      // biome-ignore lint/correctness/useYield: a tool without output
      run: async function* () {
        return results.pop() ?? textResult('text')
      },
    }
    const agent = openAgent({ model: choice, newId: otherIds(), executor: scriptedTools({ read }) })
    await play(agent, { message: asked })
    const carried = text(`${environment}${rules}`)
    expect([3, 5].map((at) => choice.requests[at]?.messages[0]?.content[0])).toEqual([carried, carried])
  })

  it('in a later turn carries what is attached to the request, such as a skill', async () => {
    const environment = text('<environment>\nworking directory: /src\n</environment>')
    const first = { ...user(environment, text('Hello.')), metadata: { context: '1' } }
    const skill = text('<skill name="mend">\nRead it first.\n</skill>')
    const asked = { ...user(skill, text('/skill:mend the lock')), metadata: { context: '1' } }
    const replies = [works('tc_1', 20_000), works('tc_2', 34_000), answers('It was read.'), answers('Done.')]
    const choice = model(50_000, ...replies)
    const agent = openAgent({
      model: choice,
      newId: otherIds(),
      messages: earlier(first, measured(10, text('Hi.'))),
      executor: scriptedTools({ read: gives('text') }),
    })
    await play(agent, { message: asked })
    expect(choice.requests[3]?.messages[0]?.content).toEqual([
      environment,
      text(`${heading}\n\nIt was read.`),
      text('The request that is being worked on, word for word:'),
      skill,
      text('/skill:mend the lock'),
    ])
  })

  it('carries both ends of a long request', async () => {
    const replies = [
      works('tc_1', 20_000),
      works('tc_2', 34_000),
      answers('The lock was read.'),
      answers('Done.'),
    ]
    const choice = model(50_000, ...replies)
    const executor = scriptedTools({ read: gives('text') })
    const agent = openAgent({ model: choice, newId: otherIds(), executor })
    await play(agent, { message: told(long(5_000)) })
    const half = 'x'.repeat(8_404)
    expect(choice.requests[3]?.messages[0]?.content.at(-1)).toEqual(
      text(`${half}\n[… 3192 characters left out …]\n${half}`),
    )
  })
})

function never(): never {
  throw new Error('there is none')
}

/** A reply of 10,000 tokens that makes a call, with this total size. */
function works(callId: string, tokens: number): Adapter {
  return async function* () {
    yield { type: 'text_delta', id: 'b', delta: long(10_000) }
    yield { type: 'tool_call_begin', id: callId, name: 'read' }
    return { stopReason: 'tool_use', usage: { inputTokens: tokens, outputTokens: 0 } }
  }
}

describe('old tool output', () => {
  const output = long(30_000)
  const note = '[left out to make room: 120000 characters that read gave; call it again if that is needed]'
  const before = earlier(
    user(text('Look at it.')),
    ...looked('tc_1', output),
    ...looked('tc_2', 'short'),
    ...looked('tc_3', output),
    unmeasured(text(long(5_000, 'a'))),
    user(text('And now?')),
    ...looked('tc_4', long(5_000)),
    measured(90_000, text('So.')),
  )

  it('is left out first, without a summary if that is enough', async () => {
    const choice = model(100_000, answers('Fine.'))
    const { events, turn } = await goOn(choice, before)
    expect(choice.requests.map(sent)).toEqual([
      ['Look at it.', 'assistant', note, 'assistant', 'short', 'assistant', note].concat([
        long(5_000, 'a'),
        'And now?',
        'assistant',
        long(5_000),
        'So.',
        'hello',
      ]),
    ])
    expect(turn.messages[1]).toMatchObject({
      content: [text('[Older output of tools is left out to make room]')],
      metadata: { pruned_through: before[7]?.id },
    })
    expect(compactions(events)).toMatchObject([
      { summary: '[Older output of tools is left out to make room]' },
    ])
  })

  it('stays out of requests, and the session keeps it', async () => {
    const choice = model(100_000, answers('Fine.'), answers('Well.'))
    const { agent } = await goOn(choice, before)
    const { events } = await play(agent, { message: user(text('Go on.')) })
    expect(compactions(events)).toEqual([])
    expect(sent(choice.requests[1] ?? never())).toEqual([
      ...sent(choice.requests[0] ?? never()),
      'Fine.',
      'Go on.',
    ])
    expect(agent.engine.history.slice(0, before.length)).toEqual(before)
  })
})

describe('the command to compact', () => {
  const before = earlier(
    ...talked('One?', long(100, 'a')),
    ...talked('Two?', long(100, 'b')),
    ...talked('Three?', 'Yes.'),
  )

  it('summarises the older part once, before the next request, even with enough room', async () => {
    const choice = model(undefined, answers('They counted.'), answers('Fine.'), answers('Well.'))
    const { agent, events } = await goOn(choice, before, { command: true })
    expect(compactions(events)).toHaveLength(1)
    expect(sent(choice.requests[1] ?? never())).toEqual([
      `${heading}\n\nThey counted.`,
      'Three?',
      'Yes.',
      'hello',
    ])
    expect(compactions((await play(agent)).events)).toEqual([])
  })

  it('works without a token left', async () => {
    const full = earlier(...talked(long(95_000), 'Yes.'), user(text('And?')), measured(100_000, text('So.')))
    const choice = model(100_000, answers('They counted.'), answers('Fine.'))
    const { turn } = await goOn(choice, full, { command: true })
    expect(turn).toMatchObject({ stopReason: 'end_turn' })
    expect(sent(choice.requests[1] ?? never())).toEqual([
      `${heading}\n\nThey counted.`,
      'And?',
      'So.',
      'hello',
    ])
  })

  it('sent while tools run applies to the next request of the turn', async () => {
    const choice = model(undefined, uses('tc_1', 'read'), answers('They counted.'), answers('Fine.'))
    const executor = scriptedTools({ read: gives('text') })
    const agent = openAgent({ model: choice, newId: otherIds(), messages: before, executor })
    await play(agent, {
      see: ({ type }) => {
        if (type === 'tool_start') agent.engine.send({ type: 'compact' })
      },
    })
    expect(sent(choice.requests[2] ?? never())).toEqual([
      `${heading}\n\nThey counted.`,
      'Three?',
      'Yes.',
      'hello',
      'assistant',
      'text',
    ])
  })

  it('does nothing if there is nothing to summarise', async () => {
    const choice = model(undefined, answers('Fine.'))
    const { events } = await goOn(choice, [], { command: true })
    expect(compactions(events)).toEqual([])
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'compaction_failed',
        reason: 'nothing to summarise yet: the newest messages are kept as they are',
      }),
    )
  })

  it('changes nothing if the model gives no summary', async () => {
    const choice = model(undefined, answers(' '), answers(' '), answers('Fine.'))
    const { turn, events } = await goOn(choice, before, { command: true })
    expect(events.map(brief)).toContain('compaction_failed')
    expect(sent(choice.requests[2] ?? never())).toEqual([...before.map(textContent), 'hello'])
    expect(turn.messages.map(({ type }) => type)).toEqual(['user', 'assistant'])
  })
})

describe('a missing summary', () => {
  const leftOut =
    '[The conversation before this is left out to make room, without a summary: look again at what you need to know]'
  const before = earlier(
    ...talked(long(70_000, 'q'), 'The old answer.'),
    user(text('Look at it.')),
    measured(90_000, text('Yes.')),
  )
  const refuses: Adapter = async function* () {
    yield { type: 'text_delta', id: 'b', delta: 'I will not.' }
    return { stopReason: 'refusal' }
  }
  const isCut: Adapter = async function* () {
    yield { type: 'text_delta', id: 'b', delta: 'They asked' }
    return { stopReason: 'length' }
  }

  it.each<[string, Adapter[]]>([
    ['because the model says nothing twice', [answers('\n'), answers('\n')]],
    ['because the model refuses', [refuses]],
    ['because it is cut at the limit of tokens', [isCut]],
    ['because the server refuses', [failsWith('invalid')]],
  ])('%s is replaced by a note, and the turn continues', async (_, adapters) => {
    const choice = model(100_000, ...adapters, answers('Fine.'), answers('Well.'))
    const { agent, turn } = await goOn(choice, before)
    expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: 1 })
    expect(sent(choice.requests[adapters.length] ?? never())).toEqual([
      leftOut,
      'Look at it.',
      'Yes.',
      'hello',
    ])
    await play(agent)
    expect(choice.requests).toHaveLength(adapters.length + 2)
    expect(agent.engine.history.slice(0, before.length)).toEqual(before)
  })

  it('is not replaced if leaving out old output makes room', async () => {
    const outputs = earlier(
      ...talked(long(53_000, 'q'), 'The old answer.'),
      ...looked('tc_1', long(10_000)),
      ...talked('Look at it.', long(19_000, 'a')),
      measured(90_000, text('Yes.')),
    )
    const choice = model(100_000, refuses, answers('Fine.'))
    const { turn } = await goOn(choice, outputs)
    expect(turn.messages[1]).toMatchObject({ metadata: { pruned_through: outputs[3]?.id } })
    expect(sent(choice.requests[1] ?? never())[0]).toBe(long(53_000, 'q'))
  })

  it('because of a temporary failure is requested again next time, and nothing is dropped', async () => {
    const busy = Array.from({ length: 6 }, () => failsWith('overloaded'))
    const choice = model(100_000, ...busy, answers('Fine.'), answers('They asked q.'), answers('Well.'))
    const slept: number[] = []
    const { agent, events } = await goOn(choice, before, { clock: stillClock(slept) })
    expect(slept).toEqual([500, 1000, 2000, 4000, 8000])
    expect(events.filter(({ type }) => type === 'retry')).toMatchObject(slept.map(() => ({ discarded: [] })))
    expect(events.filter(({ type }) => type === 'text_delta')).toMatchObject([{ delta: 'Fine.' }])
    expect(sent(choice.requests[6] ?? never())).toEqual([...before.map(textContent), 'hello'])
    const { events: later } = await play(agent)
    expect(compactions(later)).toEqual([])
  })

  it('because of an interrupt ends the turn in order and changes nothing', async () => {
    const stalls: Adapter = async function* (signal) {
      yield { type: 'text_delta', id: 'b', delta: 'They' }
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      return { stopReason: 'aborted' }
    }
    const choice = model(100_000, stalls, answers('Fine.'))
    const agent = openAgent({ model: choice, newId: otherIds(), messages: before })
    const { events, turn } = await play(agent, {
      see: ({ type }) => {
        if (type === 'round_start') setImmediate(() => agent.engine.send({ type: 'interrupt' }))
      },
    })
    expect(turn).toMatchObject({ stopReason: 'aborted', rounds: 1 })
    expect(agent.saved.map(textContent)).toEqual(['hello'])
    expect(events.slice(-3).map(brief)).toEqual(['round_end aborted', 'state idle', 'turn_end aborted'])
  })
})

it('a summary in the middle of a turn is followed by what hooks say about it', async () => {
  const hooks: TurnHooks = {
    beginning: (message) => Promise.resolve(message),
    compacted: async () => 'the rules',
    takeNotices: () => [],
    takeStop: () => undefined,
    ending: async () => undefined,
    compacting: async () => undefined,
  }
  const spoken = talked(long(100_000, 'q'), 'An answer.')
  const messages = earlier(...spoken, user(text('So?')), measured(180_000, text('So.')))
  const choice = model(200_000, answers('They asked.'), answers('Fine.'))
  await goOn(choice, messages, { hooks })
  expect(choice.requests.slice(1).map(sent)).toEqual([
    [expect.stringContaining(heading), 'So?', 'So.', 'hello', 'the rules'],
  ])
})
