import { describe, expect, it } from 'vitest'
import { chooseRoute, type Need, needsOf } from '../../../src/agent/request/model-route.ts'
import type { Candidate, Routing } from '../../../src/engine.ts'
import type { ContentBlock } from '../../../src/message.ts'
import type { ModelInfo } from '../../../src/model.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { openAgent, play } from '../../support/conversations/agent.ts'
import { gives, type ScriptedTool, scriptedTools } from '../../support/conversations/scripted-tools.ts'
import { assistant, text, toolResult, user } from '../../support/messages/messages.ts'
import { answers, candidate, choose, failsWith, lockedCandidate, uses } from '../../support/models/choices.ts'

const image: ContentBlock = { type: 'image', mimeType: 'image/png', data: 'AA==' }
const pdf: ContentBlock = { type: 'document', mimeType: 'application/pdf', data: 'AA==' }
const note: ContentBlock = { type: 'document', mimeType: 'text/plain', data: 'AA==' }

const nothing: Need = { images: false, documents: false, tools: false, thinking: false, tokens: 1_000 }

describe('the needs of a request', () => {
  const needs = (request: Partial<Parameters<typeof needsOf>[0]>) =>
    needsOf({ systemPrompt: '', messages: [user(text('hello'))], tools: [], maxTokens: 1_000, ...request })

  it('are tokens for itself and its reply, if it is plain', () => {
    expect(needs({})).toEqual({ ...nothing, tokens: 1_002 })
    expect(needs({ systemPrompt: 'x'.repeat(400) })).toEqual({ ...nothing, tokens: 1_102 })
    expect(needs({ messages: [user(text('é'.repeat(200)))] })).toEqual({ ...nothing, tokens: 1_100 })
  })

  it.each([
    ['the user', [user(image)]],
    ['a tool', [user(text('?')), assistant(text('!')), toolResult('tc_1', image)]],
  ])('include images, if %s shows one', (_, messages) => {
    expect(needs({ messages })).toMatchObject({ images: true, documents: false })
  })

  it('do not grow with the bytes of an image', () => {
    const { tokens } = needs({ messages: [user({ ...image, data: 'A'.repeat(4_000_000) })] })
    expect(tokens).toBeLessThan(4_000)
  })

  it('include documents, unless they are text', () => {
    expect(needs({ messages: [user(pdf)] })).toMatchObject({ documents: true, images: false })
    expect(needs({ messages: [user(note)] })).toMatchObject({ documents: false, images: false })
  })

  it('include tools, if there are any', () => {
    const tools = scriptedTools({ read: gives('text') }).tools()
    expect(needs({ tools })).toMatchObject({ tools: true, tokens: expect.any(Number) })
    expect(needs({ tools }).tokens).toBeGreaterThan(1_002)
  })

  it('include thinking, if a level is set', () => {
    expect(needs({ thinking: 'low' })).toMatchObject({ thinking: true })
    expect(needs({ thinking: 'off' })).toMatchObject({ thinking: false })
  })
})

describe('the model that answers', () => {
  const route = async (
    info: Partial<ModelInfo> | undefined,
    need: Partial<Need>,
    candidates: readonly Candidate[],
    prefer: Routing['prefer'] = 'order',
    latency: ReadonlyMap<string, number> = new Map(),
  ) => {
    const chosen = choose('a/chosen', [], info)
    const { choice, reason } = await chooseRoute(
      chosen,
      { ...nothing, ...need },
      { candidates, prefer },
      latency,
    )
    return [`${choice.provider.name}/${choice.model}`, reason]
  }
  const able = (name: `${string}/${string}`, info: Partial<ModelInfo> = {}) =>
    candidate(choose(name, [], { images: true, ...info }))

  it.each([
    [{ images: true }, { images: false }, 'cannot see images', { images: true }],
    [{ documents: true }, { documents: false }, 'cannot read documents', { documents: true }],
    [{ tools: true }, { tools: false }, 'cannot call tools', { tools: true }],
    [{ thinking: true }, { thinking: { type: 'none' } }, 'cannot think', { thinking: { type: 'fixed' } }],
    [
      { tokens: 101 },
      { contextWindow: 100 },
      'has too small a context window for this conversation',
      { contextWindow: 101 },
    ],
  ] as const)(
    'is a candidate known to be able, if it needs %j and the chosen one has %j',
    async (need, info, lack, has) => {
      const unknown = candidate(choose('b/unknown', []))
      const silent = candidate(choose('c/silent', [], {}))
      const unable = candidate(choose('d/unable', [], info))
      const fit = candidate(choose('e/able', [], has))
      expect(await route(info, need, [unknown, silent, unable, fit])).toEqual(['e/able', `a/chosen ${lack}`])
      expect(await route(info, need, [unknown, silent, unable])).toEqual(['a/chosen', undefined])
      expect(await route(info, {}, [fit])).toEqual(['a/chosen', undefined])
      expect(await route({}, need, [fit])).toEqual(['a/chosen', undefined])
      expect(await route(undefined, need, [fit])).toEqual(['a/chosen', undefined])
      expect(await route(has, need, [fit])).toEqual(['a/chosen', undefined])
    },
  )

  it('has all that is needed, not only what the chosen one lacks', async () => {
    const need = { images: true, tools: true }
    const seeing = able('b/seeing', { tools: false })
    const both = able('c/both', { tools: true })
    expect(await route({ images: false, tools: true }, need, [seeing, both])).toEqual([
      'c/both',
      'a/chosen cannot see images',
    ])
    expect(await route({ images: false, tools: false }, need, [seeing, both])).toEqual([
      'c/both',
      'a/chosen cannot see images and cannot call tools',
    ])
  })

  it('is the next if one cannot be opened', async () => {
    const locked = lockedCandidate('b/locked', { provider: 'b', id: 'locked', images: true })
    const list = [locked, able('c/open')]
    expect(await route({ images: false }, { images: true }, list)).toEqual([
      'c/open',
      'a/chosen cannot see images',
    ])
    expect(await route({ images: false }, { images: true }, [locked])).toEqual(['a/chosen', undefined])
  })

  it('is the first, the cheapest, or the fastest so far, with unknown ones last', async () => {
    const list = [
      able('b/unknown'),
      able('c/dear', { price: { input: 2, output: 9 } }),
      able('d/cheap', { price: { input: 3, output: 4 } }),
      able('e/free', { price: { input: 0, output: 0 } }),
    ]
    const latency = new Map([
      ['d/cheap', 300],
      ['c/dear', 200],
    ])
    const pick = async (prefer: Routing['prefer'], from: readonly Candidate[]) =>
      (await route({ images: false }, { images: true }, from, prefer, latency))[0]
    expect(await pick('order', list)).toBe('b/unknown')
    expect(await pick('cost', list)).toBe('e/free')
    expect(await pick('cost', list.slice(0, 3))).toBe('d/cheap')
    expect(await pick('cost', list.slice(0, 1))).toBe('b/unknown')
    expect(await pick('latency', list)).toBe('c/dear')
    expect(
      await pick(
        'latency',
        [list[3], list[0]].flatMap((one) => one ?? []),
      ),
    ).toBe('e/free')
  })
})

describe('a round that the chosen model cannot answer', () => {
  const message = user(text('What is this?'), image)

  it('is answered by another, with the reason and the same thinking level', async () => {
    const model = {
      ...choose('openai/gpt-5-nano', [answers('Good day.')], { images: false }),
      thinking: 'low' as const,
    }
    const other = choose('b/seeing', [answers('A cat.')], { images: true })
    const routing = { candidates: [candidate(other)], fallback: [], prefer: 'order' } as const
    const agent = openAgent({ model, routing })
    const plain = await play(agent)
    const { events, turn } = await play(agent, { message })
    const starts = [...plain.events, ...events].filter(({ type }) => type === 'round_start')
    expect(starts).toMatchObject([
      { provider: 'openai', model: 'gpt-5-nano' },
      { provider: 'b', model: 'seeing', reason: 'openai/gpt-5-nano cannot see images' },
    ])
    expect(starts[0]).not.toHaveProperty('reason')
    expect(turn.messages.at(-1)).toMatchObject({ provider: 'b', model: 'seeing' })
    expect(other.requests).toMatchObject([{ model: 'seeing', thinking: 'low', info: { images: true } }])
    expect(agent.states.map((state) => state.model)).toEqual(Array(4).fill('openai/gpt-5-nano'))
  })

  it('is answered by the chosen one if no other is able', async () => {
    const model = choose('a/blind', [answers('I cannot tell.')], { images: false })
    const routing = { candidates: [lockedCandidate('b/seeing')], fallback: [], prefer: 'order' } as const
    const { events, turn } = await play(openAgent({ model, routing }), { message })
    expect(turn.stopReason).toBe('end_turn')
    expect(events.find(({ type }) => type === 'round_start')).not.toHaveProperty('reason')
  })

  it('is answered by the one with the fastest first event', async () => {
    const clock = createHandClock()
    const blind = { images: false }
    const takes = (ms: number, words: string) =>
      async function* (signal: AbortSignal) {
        clock.advance(ms)
        return yield* answers(words)(signal)
      }
    const slow = choose('b/slow', [takes(200, 'slow')], { images: true })
    const quick = choose('c/quick', [takes(100, 'quick'), takes(100, 'quick again')], { images: true })
    const routing = {
      candidates: [candidate(slow), candidate(quick)],
      fallback: [],
      prefer: 'latency',
    } as const
    const agent = openAgent({ model: slow, clock, routing })
    await play(agent)
    agent.engine.send({ type: 'set_model', choice: quick })
    await play(agent)
    agent.engine.send({ type: 'set_model', choice: choose('a/blind', [], blind) })
    const { turn } = await play(agent, { message })
    expect(turn.messages.at(-1)).toMatchObject({ provider: 'c' })
  })

  it('is not sent to a model that this turn has given up', async () => {
    const failure = failsWith('network', { details: { should_retry: 'false' } })
    const seeing = choose('a/seeing', [failure], { images: true })
    const blind = choose('b/blind', [uses('tc_1', 'draw'), answers('Done.')], { images: false })
    const routing = {
      candidates: [candidate(seeing)],
      fallback: [candidate(blind)],
      prefer: 'order',
    } as const
    const executor = scriptedTools({ draw: shows(image) })
    const { turn } = await play(openAgent({ model: seeing, routing, executor }))
    expect(turn).toMatchObject({ stopReason: 'end_turn', rounds: 2 })
    expect(turn.messages.at(-1)).toMatchObject({ provider: 'b' })
    expect(seeing.requests).toHaveLength(1)
  })
})

/** A tool that returns this block. */
function shows(block: ContentBlock): ScriptedTool {
  return {
    // biome-ignore lint/correctness/useYield: a tool without output
    run: async function* () {
      return { content: [block], isError: false }
    },
  }
}
