import { expect, it, onTestFinished } from 'vitest'
import { createAnthropicProvider } from '../../src/anthropic/provider.ts'
import { createTransport } from '../../src/http/transport.ts'
import type { Message } from '../../src/message.ts'
import type { ScriptBlock } from '../../src/replay/script.ts'
import { stillClock } from '../support/clocks/still-clock.ts'
import { read } from '../support/conversations/read-tool.ts'
import { countingIds } from '../support/messages/ids.ts'
import { text, user } from '../support/messages/messages.ts'
import { goOn } from '../support/models/asking.ts'
import { type FakeReply, startFakeAnthropic } from '../support/models/fake-server.ts'
import type { MessagesBody } from '../support/vendors/anthropic-rules.ts'
import { messageEvents } from '../support/vendors/anthropic-sse.ts'

/** Number of blocks before a breakpoint in which the server looks for cached prefixes. */
const lookback = 20

/** A server's cache of request prefixes that ended at a breakpoint. Counts bytes as tokens. */
class PromptCache {
  readonly #kept = new Set<string>()

  /** Returns the usage of a request and caches its marked prefixes. */
  read({ tools = [], system = [], messages }: MessagesBody): Record<string, number> {
    const said = messages.flatMap(({ role, content }) => content.map((block): object => ({ role, ...block })))
    const prefixes: string[] = []
    const marks: number[] = []
    for (const [i, block] of [...tools, ...system, ...said].entries()) {
      const { cache_control, ...rest } = { cache_control: undefined, ...block }
      prefixes.push((prefixes.at(-1) ?? '') + JSON.stringify(rest))
      if (cache_control !== undefined) marks.push(i)
    }
    const found = marks.flatMap((mark) => prefixes.slice(Math.max(0, mark - lookback), mark + 1))
    const read = Math.max(0, ...found.filter((prefix) => this.#kept.has(prefix)).map(({ length }) => length))
    const written = Math.max(read, ...marks.map((mark) => prefixes[mark]?.length ?? 0))
    for (const mark of marks) this.#kept.add(prefixes[mark] ?? '')
    return {
      input_tokens: (prefixes.at(-1)?.length ?? 0) - written,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written - read,
    }
  }
}

/** A few calls per round, in some rounds more than the server looks back. */
const calls = (round: number): ScriptBlock[] =>
  Array.from({ length: round % 5 === 3 ? lookback + 5 : 1 + (round % 3) }, (_, i) => ({
    type: 'tool_call',
    id: `toolu_${round}_${i}`,
    name: 'read',
    arguments: { path: `${i}.ts` },
  }))

it('reads all of the previous round from the cache in each round of a long turn', async () => {
  const cache = new PromptCache()
  const rounds = 30
  const reply = (round: number): FakeReply<MessagesBody> => {
    return (request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const usage = cache.read(request.body)
      response.end(messageEvents([{ type: 'text', text: 'I look.' }, ...calls(round)], { usage }).join(''))
    }
  }
  const server = await startFakeAnthropic(...Array.from({ length: rounds }, (_, round) => reply(round)))
  const transport = createTransport()
  onTestFinished(async () => {
    transport.close()
    await server.close()
  })
  const ports = { transport, newId: countingIds(), clock: stillClock() }
  const provider = createAnthropicProvider({ name: 'anthropic', baseUrl: server.baseUrl, ...ports })
  const history: Message[] = [user(text('Where is the bug?'))]
  const seen: { whole: number; read: number | undefined }[] = []
  for (let round = 0; round < rounds; round++) {
    const asked = { model: 'claude-sonnet-4-5', systemPrompt: 'Be brief.', tools: [read] }
    const { usage } = await goOn(provider, history, asked)
    seen.push({ whole: usage.inputTokens, read: usage.cacheReadTokens })
  }
  expect(server.violations).toEqual([])
  expect(seen.map(({ read }) => read)).toEqual([0, ...seen.slice(0, -1).map(({ whole }) => whole)])
  expect(seen.map(({ whole }) => whole)).toEqual(seen.map(({ whole }) => whole).toSorted((a, b) => a - b))
})
