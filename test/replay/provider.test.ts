import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '../../src/event.ts'
import { complete, type Request } from '../../src/provider.ts'
import { createReplayProvider } from '../../src/replay/provider.ts'
import type { ScriptRound } from '../../src/replay/script.ts'
import { stillClock } from '../support/clocks/still-clock.ts'
import { countingIds } from '../support/messages/ids.ts'
import {
  assistant,
  call,
  messageId,
  text,
  timestamp,
  toolResult,
  user,
} from '../support/messages/messages.ts'
import { thrown } from '../support/thrown.ts'

const { signal } = new AbortController()
const request: Request = { model: 'asked', systemPrompt: '', messages: [user(text('hello'))], tools: [] }

function play(rounds: readonly Partial<ScriptRound>[], options: { slept?: number[]; model?: string } = {}) {
  const { slept, model } = options
  const script = { model, rounds: rounds.map((round) => ({ blocks: [], failures: [], ...round })) }
  return createReplayProvider({ script, newId: countingIds(), clock: stillClock(slept) })
}

const saying = (words: string): Partial<ScriptRound> => ({ blocks: [text(words)] })
const read = { type: 'tool_call', name: 'read', arguments: { path: 'a b' } } as const

describe('a played script', () => {
  it('sends its blocks word by word', async () => {
    const round = { blocks: [{ type: 'thinking', thinking: 'Hm. So' }, text(' one  two\n'), read] } as const
    const events: StreamEvent[] = []
    for await (const event of play([round]).stream(request, { signal })) events.push(event)
    const id = expect.stringMatching(/^tool_.{12}$/)
    const delta = (delta: string) => ({ type: 'tool_call_delta', id, delta })
    expect(events).toEqual([
      { type: 'thinking_delta', id: 'block_0', delta: 'Hm.' },
      { type: 'thinking_delta', id: 'block_0', delta: ' So' },
      { type: 'text_delta', id: 'block_1', delta: ' one' },
      { type: 'text_delta', id: 'block_1', delta: '  two' },
      { type: 'text_delta', id: 'block_1', delta: '\n' },
      { type: 'tool_call_begin', id, name: 'read' },
      delta('{"path":"a'),
      delta(' b"}'),
      { type: 'tool_call_end', call: { type: 'tool_call', id, name: 'read', arguments: { path: 'a b' } } },
    ])
  })

  it('returns a complete message', async () => {
    const usage = { inputTokens: 3, outputTokens: 2 }
    expect(
      await complete(play([{ ...saying('Hi'), usage }], { model: 'demo-1' }), request, { signal }),
    ).toEqual({
      type: 'assistant',
      id: messageId(1),
      timestamp,
      provider: 'replay',
      model: 'demo-1',
      content: [text('Hi')],
      stopReason: 'end_turn',
      usage,
    })
  })

  it('stops for the reason given, else for its calls', async () => {
    const stopReason = async (round: Partial<ScriptRound>) =>
      (await complete(play([round]), request, { signal })).stopReason
    expect(await stopReason({ blocks: [read] })).toBe('tool_use')
    expect(await stopReason({ blocks: [read], stopReason: 'length' })).toBe('length')
  })

  it('continues the conversation, also in a new process', async () => {
    const rounds = [saying('first'), saying('second')]
    const messages = [
      user(text('hello')),
      assistant(call('a')),
      toolResult('a', text('42')),
      user(text('go on')),
    ]
    expect(await complete(play(rounds), { ...request, messages }, { signal })).toMatchObject({
      content: [text('second')],
    })
  })

  it('reports its length past its end', async () => {
    const messages = [user(text('a')), assistant(text('b')), user(text('c'))]
    const error = await thrown(() => complete(play([saying('b')]), { ...request, messages }, { signal }))
    expect(error).toMatchObject({
      code: 'input',
      message: 'the script has 1 round and the conversation asks for one more',
    })
  })

  it('serves each failure to one attempt, after its number of deltas', async () => {
    const failures = [
      { code: 'overloaded', message: 'busy', after: 1 },
      { code: 'network', message: 'gone', after: 9 },
    ] as const
    const provider = play([{ ...saying('one two'), failures }])
    const attempt = async () => {
      const stream = provider.stream(request, { signal })
      const error = await thrown(async () => {
        for await (const _ of stream);
      })
      return { error, content: stream.message().content }
    }
    expect(await attempt()).toMatchObject({
      error: { code: 'overloaded', message: 'busy' },
      content: [text('one')],
    })
    expect(await attempt()).toMatchObject({ error: { code: 'network' }, content: [text('one two')] })
    expect(await complete(provider, request, { signal })).toMatchObject({ content: [text('one two')] })
  })

  it('waits before each delta if it has a pace', async () => {
    const slept: number[] = []
    await complete(play([{ ...saying('a b c'), paceMs: 20 }], { slept }), request, { signal })
    expect(slept).toEqual([20, 20, 20])
  })
})
