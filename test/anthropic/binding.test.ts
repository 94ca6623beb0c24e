import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { composeMessages } from '../../src/anthropic/request.ts'
import { WireHistory } from '../../src/anthropic/wire-history.ts'
import type { Message, ThinkingBlock } from '../../src/message.ts'
import type { Request } from '../../src/provider.ts'
import { read } from '../support/conversations/read-tool.ts'
import { text, user } from '../support/messages/messages.ts'
import { model, spoken } from './body.ts'

const hello = user(text('hello'))
const asked: Request = { model, systemPrompt: 'Be brief.', messages: [hello], tools: [read] }

/** A thought in the reply to this request. */
function thoughtOf(request: Request): ThinkingBlock {
  const providerData = composeMessages(request, new WireHistory('anthropic')).binding.data
  return { type: 'thinking', thinking: 'Hm.', signature: 'sig', providerData }
}

/** The types of blocks sent in the model's messages. */
function sent(request: Request): readonly (readonly string[])[] {
  const { messages } = composeMessages(request, new WireHistory('anthropic')).body
  return messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content !== 'string' ? [content.map(({ type }) => type)] : [],
  )
}

const first = spoken(thoughtOf(asked), text('Hi.'))
const more = user(text('and now?'))
const going = { ...asked, messages: [hello, first, more] }
const second = spoken(thoughtOf(going), text('Bye.'))

it('is bound to the hash that earlier sessions hold, message by message', () => {
  const block = (said: string) => ({ type: 'text', text: said })
  const parts = [
    ['Be brief.', [read.name, read.description, read.parameters]],
    ['user', [block('hello')]],
    ['user', [block('and you?')]],
  ]
  const prefix = createHash('sha256').update(parts.map((part) => `${JSON.stringify(part)}\n`).join(''))
  expect(thoughtOf({ ...asked, messages: [hello, user(text('and you?'))] }).providerData).toEqual({
    provider: 'anthropic',
    data: { model, prefix: prefix.digest('hex').slice(0, 32) },
  })
})

describe('a thought goes back', () => {
  it('after the same prefix, turn by turn', () => {
    expect(sent(going)).toEqual([['thinking', 'text']])
    expect(sent({ ...going, messages: [hello, first, more, second, user(text('so?'))] })).toEqual([
      ['thinking', 'text'],
      ['thinking', 'text'],
    ])
  })

  it('when loaded from a session', () => {
    const messages: Message[] = JSON.parse(JSON.stringify(going.messages))
    expect(sent({ ...going, messages })).toEqual([['thinking', 'text']])
  })

  it('of a session without its prefix', () => {
    const { providerData: _, ...old } = thoughtOf(asked)
    expect(sent({ ...going, messages: [hello, spoken(old, text('Hi.')), more] })).toEqual([
      ['thinking', 'text'],
    ])
  })
})

describe('a thought is left out', () => {
  it.each<[string, Partial<Request>]>([
    ['another system prompt', { systemPrompt: 'Be verbose.' }],
    ['other tools', { tools: [] }],
    ['another model', { model: 'claude-opus-4-6' }],
    ['another beginning', { messages: [user(text('summary')), first, more] }],
    ['a missing beginning', { messages: [first, more] }],
  ])('after %s', (_, change) => {
    expect(sent({ ...going, ...change })).toEqual([['text']])
  })

  it('after one that was left out', () => {
    const changed = spoken(
      { ...thoughtOf(asked), providerData: thoughtOf(going).providerData ?? bare },
      text('Hi.'),
    )
    expect(sent({ ...going, messages: [hello, changed, more, second, more] })).toEqual([['text'], ['text']])
  })
})

const bare = { provider: 'anthropic', data: null }
