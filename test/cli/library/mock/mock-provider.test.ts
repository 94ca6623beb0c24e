import { expect, it } from 'vitest'
import { mockProvider } from '../../../../src/cli/library/mock/mock-provider.ts'
import { mockTool } from '../../../../src/cli/library/mock/mock-tool.ts'
import { executorConformance, providerConformance } from '../../../../src/conformance/suites.ts'
import { PipeError } from '../../../../src/error.ts'
import { textContent } from '../../../../src/message.ts'
import { complete } from '../../../../src/provider.ts'
import { deferred } from '../../../support/clocks/deferred.ts'
import { conforms } from '../../../support/conforms.ts'
import { text, user } from '../../../support/messages/messages.ts'
import { thrown } from '../../../support/thrown.ts'

const { signal } = new AbortController()
const request = { model: '', systemPrompt: '', messages: [user(text('Hi'))], tools: [] }

conforms(
  'the mock provider keeps the promises of providers: it',
  providerConformance(async ({ blocks, ending }) => {
    let begun = 0
    const released = deferred()
    const provider = mockProvider((_, { signal: unwanted }) => {
      begun++
      unwanted.addEventListener('abort', () => released.resolve())
      if (ending === 'fail') return { blocks, error: new PipeError('overloaded', 'too much to do') }
      return { blocks, hangs: ending === 'hang' }
    })
    return { provider, begun: () => begun, released: () => released.promise }
  }),
)

conforms(
  'the mock tool keeps the promises of executors: it',
  executorConformance(async () => ({
    executor: mockTool({
      name: 'clock',
      result: ({ city }) => {
        if (typeof city !== 'string') throw new Error('clock needs a city')
        return `noon in ${city}`
      },
    }),
    good: { name: 'clock', arguments: { city: 'Lima' } },
    bad: { name: 'clock', arguments: {} },
  })),
)

it('gives its replies in order, and keeps the requests', async () => {
  const provider = mockProvider([
    'One.',
    [{ type: 'tool_call', name: 'clock', arguments: { city: 'Lima' } }],
    new Error('no'),
  ])
  const first = await complete(provider, request, { signal })
  expect([textContent(first), first.stopReason, first.usage]).toEqual([
    'One.',
    'end_turn',
    { inputTokens: 10, outputTokens: 5 },
  ])
  const second = await complete(provider, { ...request, model: 'big' }, { signal })
  expect(second).toMatchObject({
    stopReason: 'tool_use',
    model: 'big',
    content: [{ id: 'call_1', name: 'clock' }],
  })
  expect(await thrown(() => complete(provider, request, { signal }))).toMatchObject({ code: 'protocol' })
  expect(await thrown(() => complete(provider, request, { signal }))).toMatchObject({ code: 'input' })
  expect(provider.requests.map(({ model }) => model)).toEqual(['', 'big', '', ''])
})

it('keeps the arguments of calls', async () => {
  const tool = mockTool({ name: 'clock', result: 'noon' })
  const actor = { id: 'agent_test', kind: 'agent', displayName: 'Test', capabilities: [] } as const
  const { value } = await tool.execute('clock', { city: 'Lima' }, { callId: 'c', signal, actor }).next()
  expect([value, tool.calls]).toMatchObject([
    { isError: false, content: [{ text: 'noon' }] },
    [{ city: 'Lima' }],
  ])
})
