import { describe, expect, it } from 'vitest'
import type { Limits, Routing } from '../../../src/engine.ts'
import type { AgentEvent } from '../../../src/event.ts'
import type { UserMessage } from '../../../src/message.ts'
import type { Adapter } from '../../../src/stream.ts'
import type { TurnHooks } from '../../../src/turn-hooks.ts'
import { type AgentSetup, brief, openAgent, play } from '../../support/conversations/agent.ts'
import { earlier, long, measured, sent, talked, told } from '../../support/messages/histories.ts'
import { otherIds } from '../../support/messages/ids.ts'
import { text, user } from '../../support/messages/messages.ts'
import { answers, candidate, choose, failsWith, lockedCandidate } from '../../support/models/choices.ts'

const heading = '[The conversation before this, as a summary]'
const before = earlier(
  ...talked('One?', long(100, 'a')),
  ...talked('Two?', long(100, 'b')),
  ...talked('Three?', 'Yes.'),
)

function open(adapters: readonly Adapter[], setup: AgentSetup = {}) {
  const model = choose('a/big', adapters, { contextWindow: 100_000, maxOutput: 64_000 })
  const agent = openAgent({ model, newId: otherIds(), messages: before, ...setup })
  return { ...agent, requests: model.requests }
}

/** Runs the turn of a command alone. */
async function compact(agent: ReturnType<typeof open>, keep?: string) {
  agent.engine.send({ type: 'compact', ...(keep === undefined ? {} : { keep }) })
  const events: AgentEvent[] = []
  const turn = agent.engine.submit(undefined, { signal: new AbortController().signal })
  for (;;) {
    const step = await turn.next()
    if (step.done === true) return { events, turn: step.value }
    events.push(step.value)
  }
}

describe('the command to compact, without a message,', () => {
  it('summarises the history at once, and no round follows', async () => {
    const agent = open([answers('They counted.'), answers('Fine.')])
    const { events, turn } = await compact(agent)
    expect(events.map(brief)).toEqual(['turn_start', 'compaction', 'turn_end end_turn'])
    expect(turn).toMatchObject({
      rounds: 0,
      stopReason: 'end_turn',
      usage: { inputTokens: 10, outputTokens: 5 },
    })
    expect(agent.engine.usage).toEqual(turn.usage)
    expect(agent.saved).toEqual(turn.messages)
    await play(agent, { message: told('hello') })
    expect(agent.requests.slice(1).map(sent)).toEqual([
      [`${heading}\n\nThey counted.`, 'Three?', 'Yes.', 'hello'],
    ])
  })

  it('summarises all but the last reply of a short conversation', async () => {
    const agent = open([answers('They greeted.'), answers('Fine.')], {
      systemPrompt: long(1_000),
      messages: earlier(...talked('One?', long(20)), ...talked('Two?', 'Yes.')),
    })
    await compact(agent)
    await play(agent, { message: told('hello') })
    expect(agent.requests.slice(1).map(sent)).toEqual([
      [`${heading}\n\nThey greeted.The request that is being worked on, word for word:Two?`, 'Yes.', 'hello'],
    ])
  })

  it('is refused by a hook, which is told what to keep', async () => {
    const asked: unknown[] = []
    const hooks: TurnHooks = {
      beginning: (message: UserMessage) => Promise.resolve(message),
      compacted: async () => undefined,
      takeNotices: () => [],
      takeStop: () => undefined,
      ending: async () => undefined,
      compacting: async (about) => {
        asked.push(about)
        return 'not now'
      },
    }
    const agent = open([], { hooks })
    const { turn } = await compact(agent, 'all numbers')
    expect(asked).toEqual([{ trigger: 'manual', keep: 'all numbers' }])
    expect(turn.error).toMatchObject({
      code: 'permission',
      message: 'a hook refuses to summarise the history: not now',
    })
    expect(agent.requests).toEqual([])
  })

  it('tells the model what to keep, and the session why', async () => {
    const agent = open([answers('They counted.')])
    await compact(agent, 'all numbers')
    expect(agent.requests.map(sent)).toEqual([
      [expect.stringMatching(/\n\nSummarise it\. The person asks you to keep, above all: all numbers$/)],
    ])
    expect(agent.saved).toMatchObject([
      { metadata: { compacted_through: before[3]?.id, keep: 'all numbers' } },
    ])
  })

  const refuses: Adapter = async function* () {
    yield { type: 'text_delta', id: 'b', delta: 'I will not.' }
    return { stopReason: 'refusal' }
  }
  it.each<[string, Adapter, object]>([
    [
      'the server fails',
      failsWith('invalid'),
      { code: 'invalid', message: 'the history was not summarised: the server said invalid' },
    ],
    [
      'the model refuses',
      refuses,
      { code: 'refused', message: 'the history was not summarised: the model gave no summary' },
    ],
    [
      'the summary is too long',
      answers(long(9_000)),
      { code: 'protocol', message: 'the history was not summarised: the summary was too long' },
    ],
  ])('changes nothing and says why if %s', async (_, adapter, error) => {
    const agent = open([adapter])
    const { turn } = await compact(agent)
    expect(turn).toMatchObject({ stopReason: 'error', error, messages: [] })
    expect(agent.engine.history).toEqual(before)
  })

  it('fails if there is nothing to summarise', async () => {
    const agent = open([], { messages: earlier(user(text('One?'))) })
    const error = {
      code: 'input',
      message: 'nothing to summarise yet: the newest messages are kept as they are',
    }
    expect((await compact(agent)).turn).toMatchObject({ stopReason: 'error', error })
  })

  it('changes nothing if it is interrupted', async () => {
    const stalls: Adapter = async function* (signal) {
      yield { type: 'text_delta', id: 'b', delta: 'They' }
      agent.engine.send({ type: 'interrupt' })
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve()
        else signal.addEventListener('abort', () => resolve())
      })
      return { stopReason: 'aborted' }
    }
    const agent = open([stalls])
    expect((await compact(agent)).turn).toMatchObject({ stopReason: 'aborted', messages: [] })
    expect(agent.saved).toEqual([])
  })
})

describe('a route for summaries', () => {
  const info = { contextWindow: 20_000, maxOutput: 1_000, price: { input: 1, output: 2 } }

  function routed(
    summary: NonNullable<Routing['summary']>,
    adapters: readonly Adapter[],
    limits: Limits = {},
  ) {
    const routing: Routing = { candidates: [], fallback: [], prefer: 'order', summary }
    return open(adapters, { routing, limits })
  }

  it('writes them within its own window and at its own price, and answers nothing else', async () => {
    const cheap = choose('b/cheap', [answers('They counted.')], info)
    const messages = earlier(
      ...talked(long(40_000), 'So.'),
      user(text('And?')),
      measured(85_000, text('Yes.')),
    )
    const routing: Routing = { candidates: [], fallback: [], prefer: 'order', summary: [candidate(cheap)] }
    const agent = open([answers('Fine.')], { messages, routing })
    const { turn, events } = await play(agent, { message: told('hello') })
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'compaction', trigger: 'auto', by: 'b/cheap' }),
    )
    expect(cheap.requests).toMatchObject([{ model: 'cheap', info, maxTokens: 1_000 }])
    const [asked = ''] = cheap.requests.flatMap(sent)
    expect(asked.length / 4).toBeLessThan(15_200)
    expect(agent.requests.map(sent)).toEqual([[`${heading}\n\nThey counted.`, 'And?', 'Yes.', 'hello']])
    expect(turn.costUsd).toBeCloseTo((10 * 1 + 5 * 2) / 1e6, 10)
  })

  it.each([
    ['fails', () => candidate(choose('b/cheap', [failsWith('invalid')])), 'the server said invalid'],
    ['cannot be opened', () => lockedCandidate('b/cheap'), 'there is no key'],
  ])('is replaced by the conversation’s own model if it %s', async (_, summary, reason) => {
    const agent = routed([summary()], [answers('They counted.')])
    const { events, turn } = await compact(agent)
    expect(turn).toMatchObject({ stopReason: 'end_turn' })
    expect(events.filter(({ type }) => type === 'fallback')).toMatchObject([
      { from: 'b/cheap', to: 'a/big', reason: `no summary: ${reason}`, discarded: [] },
    ])
  })

  it('of several models asks each in turn, up to the conversation’s own', async () => {
    const [first, second] = [lockedCandidate('b/locked'), candidate(choose('b/cheap', [answers('They.')]))]
    const own = candidate(choose('a/big', []))
    const passed = await compact(routed([first, second], []))
    expect(passed.events.filter(({ type }) => type === 'fallback')).toMatchObject([
      { from: 'b/locked', to: 'b/cheap' },
    ])
    expect(passed.events).toContainEqual(expect.objectContaining({ type: 'compaction', by: 'b/cheap' }))
    const { events } = await compact(routed([first, own, second], [answers('They counted.')]))
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'compaction', trigger: 'manual', by: 'a/big' }),
    )
  })

  it('is not used without a price if the cost is limited', async () => {
    const model = choose('a/big', [answers('They counted.')], info)
    const routing: Routing = {
      candidates: [],
      fallback: [],
      prefer: 'order',
      summary: [candidate(choose('b/cheap', []))],
    }
    const agent = open([], { model, routing, limits: { maxCostUsd: 1 } })
    const { events } = await compact(agent)
    expect(events.filter(({ type }) => type === 'fallback')).toMatchObject([
      { reason: expect.stringMatching(/^no summary: a cost limit needs the price of b\/cheap/) },
    ])
  })
})

it('without automatic compaction, a full context is sent as it is until the command', async () => {
  const full = earlier(...talked(long(60_000), 'So.'), user(text('And?')), measured(99_000, text('Yes.')))
  const agent = open([answers('Fine.'), answers('They counted.')], { messages: full, autoCompact: false })
  await play(agent, { message: told('hello') })
  expect(agent.requests.map(sent)).toEqual([[long(60_000), 'So.', 'And?', 'Yes.', 'hello']])
  expect((await compact(agent)).turn).toMatchObject({ stopReason: 'end_turn' })
})
