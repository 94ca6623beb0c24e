import { afterAll, describe, expect, it } from 'vitest'
import { hasCode } from '../../src/error.ts'
import { createTransport } from '../../src/http/transport.ts'
import { createChatProvider } from '../../src/openai/chat/provider.ts'
import { complete, type Provider, type Request } from '../../src/provider.ts'
import { createReplayProvider } from '../../src/replay/provider.ts'
import { createRecorder } from '../../src/replay/recorder.ts'
import { readScript } from '../../src/replay/script.ts'
import { stillClock } from '../support/clocks/still-clock.ts'
import { gives, scriptedTools } from '../support/conversations/scripted-tools.ts'
import { countingIds } from '../support/messages/ids.ts'
import { text, toolResult, user } from '../support/messages/messages.ts'
import { adapted, answers, choose, failsWith } from '../support/models/choices.ts'
import { startFakeServer } from '../support/models/fake-server.ts'

const { signal } = new AbortController()
const clock = stillClock()
const transport = createTransport()
afterAll(() => transport.close())

const ask = (messages: Request['messages']): Request => ({
  model: 'm',
  systemPrompt: 's',
  messages,
  tools: [],
})

const tools = scriptedTools({ look: gives('seen') }).tools()

/** Asks until it gets a call and then a text. Returns the replies. */
async function converse(provider: Provider) {
  const begin = [user(text('go'))]
  const first = await complete(provider, ask(begin), { signal }).catch((error: unknown) => {
    if (!hasCode(error, 'overloaded')) throw error
    return complete(provider, ask(begin), { signal })
  })
  const second = await complete(provider, ask([...begin, first, toolResult('call_1')]), { signal })
  return [first, second].map(({ content, stopReason, usage: { raw: _, ...usage } }) => ({
    content,
    stopReason,
    usage,
  }))
}

describe('a recording', () => {
  it('of a real provider plays the same conversation, including failures', async () => {
    const server = await startFakeServer(
      { status: 529, body: '{"error":{"message":"busy"}}' },
      {
        blocks: [
          { type: 'thinking', thinking: 'Read it first.' },
          { type: 'text', text: 'I will read it.' },
          { type: 'tool_call', id: 'call_1', name: 'read', arguments: { path: 'ä.txt' } },
        ],
      },
      { blocks: [{ type: 'text', text: 'It says hello.' }] },
    )
    try {
      const real = createChatProvider({
        name: 'fake',
        baseUrl: server.baseUrl,
        transport,
        newId: countingIds(),
        clock,
      })
      const recorder = createRecorder()
      const listened = recorder.record(real)
      expect(listened.name).toBe('fake')
      const said = await converse(listened)
      const written = JSON.stringify(recorder.script())
      const script = await readScript(written, 'recorded.json')
      expect(script.rounds.map(({ failures }) => failures.map(({ code }) => code))).toEqual([
        ['overloaded'],
        [],
      ])
      const played = createReplayProvider({ script, newId: countingIds(), clock })
      await expect(complete(played, ask([user(text('go'))]), { signal })).rejects.toMatchObject({
        code: 'overloaded',
      })
      expect(await converse(played)).toEqual(said)
    } finally {
      await server.close()
    }
  })

  it('keeps the replies that a summary stands for, and leaves out the request for it', async () => {
    const recorder = createRecorder()
    const provider = recorder.record(
      adapted(...['One.', 'Two.', 'A summary.', 'Three.'].map((words) => answers(words))),
    )
    const request = (...messages: Request['messages']) => ({ ...ask(messages), tools })
    const [go, on] = [user(text('go')), user(text('on'))]
    const first = await complete(provider, request(go), { signal })
    await complete(provider, request(go, first, on), { signal })
    await complete(provider, ask([user(text('Summarise it.'))]), { signal })
    const mark = { ...user(text('A summary.')), metadata: { compacted_through: first.id } }
    await complete(provider, request(mark, on), { signal })
    expect(recorder.script()).toMatchObject({
      rounds: ['One.', 'Two.', 'Three.'].map((words) => ({ blocks: [{ type: 'text', text: words }] })),
    })
  })

  it('holds no failure of a model that another replaced', async () => {
    const recorder = createRecorder()
    const busy = recorder.record(choose('fake/a', [failsWith('overloaded')]).provider)
    const spare = recorder.record(choose('spare/b', [answers('Done.')]).provider)
    await expect(complete(busy, ask([user(text('go'))]), { signal })).rejects.toMatchObject({
      code: 'overloaded',
    })
    await complete(spare, ask([user(text('go'))]), { signal })
    expect(recorder.script()).toMatchObject({ rounds: [{ fail: [], blocks: [{ text: 'Done.' }] }] })
  })

  it('without a reply is undefined', () => {
    expect(createRecorder().script()).toBeUndefined()
  })
})
