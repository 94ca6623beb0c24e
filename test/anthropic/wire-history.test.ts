import fc from 'fast-check'
import { expect, it } from 'vitest'
import { composeMessages } from '../../src/anthropic/request.ts'
import { WireHistory } from '../../src/anthropic/wire-history.ts'
import { SentBodies, sentJson } from '../../src/http/dialect/sent-json.ts'
import type { ContentBlock, Message } from '../../src/message.ts'
import type { Request } from '../../src/provider.ts'
import { read } from '../support/conversations/read-tool.ts'
import { assistant, call, text, toolResult, user } from '../support/messages/messages.ts'
import { model, spoken } from './body.ts'

/** A thought in the reply to this request. */
function thoughtAfter(request: Request): ContentBlock {
  const { data: providerData } = composeMessages(request, new WireHistory('anthropic')).binding
  return { type: 'thinking', thinking: 'Hm.', signature: 'sig', providerData }
}

const id = fc.oneof(fc.constantFrom('call_0', 'call_1', 'not plain'), fc.string({ minLength: 1 }))
const round = fc.record({
  said: fc.constantFrom('a', '', '\ud83c', 'a\\ud83c'),
  ids: fc.uniqueArray(id, { maxLength: 3 }),
  thinks: fc.boolean(),
  own: fc.boolean(),
  isUnasked: fc.boolean(),
})
const conversation = fc.array(round, { maxLength: 6 })

/** The requests of a conversation, one a round. Each takes up the messages of the one before. */
function requestsOf(rounds: readonly Round[], asked: Partial<Request>): Request[] {
  const messages: Message[] = []
  return rounds.map(({ said, ids, thinks, own, isUnasked }) => {
    if (!isUnasked || messages.length === 0) messages.push(user(text('q'), text(said)))
    const request: Request = {
      model,
      systemPrompt: 'Be brief.',
      tools: [read],
      messages: [...messages],
      ...asked,
    }
    const thought = thinks ? [thoughtAfter(request)] : []
    messages.push((own ? spoken : assistant)(...thought, text('a'), ...ids.map((one) => call(one))))
    messages.push(...ids.map((one) => toolResult(one, text(said))))
    return request
  })
}
interface Round {
  readonly said: string
  readonly ids: readonly string[]
  readonly thinks: boolean
  readonly own: boolean
  /** The model speaks twice, and the request between ends with its words. */
  readonly isUnasked: boolean
}

it('sends and binds the same as a history made anew, also beside other conversations', async () => {
  await fc.assert(
    fc.asyncProperty(conversation, conversation, fc.array(fc.nat(20)), async (one, other, order) => {
      const history = new WireHistory('anthropic')
      const bodies = new SentBodies()
      const requests = [
        ...requestsOf(one, {}),
        ...requestsOf(other, {}),
        ...requestsOf(one, { systemPrompt: 'Be long.' }),
        ...requestsOf(one, { tools: [] }),
      ]
      const chosen = [...requests, ...order.flatMap((i) => requests[i] ?? [])]
      const composed = chosen.map((request) => {
        const { body, binding } = composeMessages(request, history)
        return { sent: bodies.encode(body, 'messages'), binding }
      })
      // Read at the end, when later requests have gone on.
      expect(composed.map(({ sent, binding }) => ({ sent, bound: binding.data }))).toEqual(
        chosen.map((request) => {
          const { body, binding } = composeMessages(request, new WireHistory('anthropic'))
          return { sent: sentJson(body), bound: binding.data }
        }),
      )
    }),
    { numRuns: 100 },
  )
})

it('converts and encodes a message once', () => {
  const history = new WireHistory('anthropic')
  const said: Message[] = Array.from({ length: 9 }, (_, i) =>
    i % 2 === 0 ? user(text(`${i}`)) : spoken(text(`${i}`)),
  )
  const messages = (count: number) =>
    composeMessages({ model, systemPrompt: '', tools: [], messages: said.slice(0, count) }, history).body
      .messages
  const [before, after] = [messages(7), messages(9)]
  // The last two of the user's are marked, each in its own request.
  expect(after.slice(0, 4).map((message, i) => message === before[i])).toEqual([true, true, true, true])
})
