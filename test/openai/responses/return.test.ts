import { describe, expect, it } from 'vitest'
import { type AssistantMessage, type Message, toolCalls } from '../../../src/message.ts'
import { responsesBody } from '../../../src/openai/responses/request.ts'
import { complete, type Request } from '../../../src/provider.ts'
import { text, toolResult, user } from '../../support/messages/messages.ts'
import { readRecordings } from '../../support/sessions/recordings.ts'
import { checkResponsesBody } from '../../support/vendors/responses-rules.ts'
import { added, done, end, message, responses, start } from './playback.ts'

const { signal } = new AbortController()

function ask(...messages: readonly Message[]): Request {
  return { model: 'asked', systemPrompt: '', messages, tools: [] }
}

/** A history that continues after the reply, saved and loaded. */
function after(reply: AssistantMessage): readonly Message[] {
  const results = toolCalls(reply).map(({ id }) => toolResult(id, text('42')))
  const history = [user(text('hello')), reply, ...results, user(text('go on'))]
  return JSON.parse(JSON.stringify(history))
}

/** The items of the reply as sent back. */
function sentBack(reply: AssistantMessage, provider = 'openai', model = 'asked'): readonly object[] {
  const body = responsesBody({ ...ask(...after(reply)), model }, provider)
  expect(checkResponsesBody(JSON.parse(JSON.stringify(body)))).not.toHaveProperty('violation')
  return body.input.slice(1, -1).filter(({ type }) => type !== 'function_call_output')
}

const streams = readRecordings('openai-responses').filter(({ status }) => status === 200)

/** The final items of a recording, line by line. */
function itemsOf(bytes: Buffer) {
  return Array.from(bytes.toString().matchAll(/^data: ?(\{.*\})/gm), ([, data = '']) => JSON.parse(data))
    .filter(({ type }) => type === 'response.output_item.done')
    .map(({ item }) => item)
}

describe.skipIf(streams.length === 0)('a request after a recorded reply', () => {
  it.each(streams)('sends $name back unchanged after a save and a load', async ({ bytes }) => {
    const reply = await complete(responses({ bytes }), ask(user(text('hello'))), { signal })
    const sent = sentBack(reply)
    const recorded = itemsOf(bytes)
    const thoughts = recorded.filter(({ type }) => type === 'reasoning')
    const isReadable = thoughts.every(
      ({ encrypted_content, content = [] }) => encrypted_content || content[0],
    )
    const hasWords = recorded.some(({ type }) => /^(message|function_call)$/.test(type))
    expect(sent.filter((item) => 'summary' in item)).toEqual(isReadable && hasWords ? thoughts : [])
    for (const item of recorded) {
      if (!isReadable || item.type !== 'function_call') continue
      const { call_id, arguments: _, ...rest } = item
      expect(sent).toContainEqual({ ...rest, call_id: expect.any(String), arguments: expect.any(String) })
    }
    for (const { id, type } of isReadable ? recorded : [])
      if (type === 'message' && reply.content.some((block) => block.type === 'text'))
        expect(sent).toContainEqual(expect.objectContaining({ id, type }))
  })

  it.each(streams)('sends only text and calls of $name to others', async ({ bytes }) => {
    const reply = await complete(responses({ bytes }), ask(user(text('hello'))), { signal })
    const plain = reply.content.flatMap((block) =>
      block.type === 'text' ? ['message'] : block.type === 'tool_call' ? ['function_call'] : [],
    )
    for (const [provider, model] of [
      ['other', 'asked'],
      ['openai', 'other'],
    ]) {
      const sent = sentBack(reply, provider, model)
      expect(sent.map((item) => ('type' in item ? item.type : undefined))).toEqual(plain)
      expect(sent.filter((item) => 'id' in item)).toEqual([])
    }
  })
})

describe('a reply sent back', () => {
  const reply = (...events: readonly string[]) =>
    complete(responses({ bytes: start + events.join('') + end() }), ask(user(text('hello'))), { signal })
  const thought = (fields: object = { encrypted_content: 'gA+/=' }) =>
    done(0, { id: 'rs_1', type: 'reasoning', summary: [], ...fields })
  const call = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"p": 1}' }
  const plainCall = { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"p":1}' }
  const plain = (content: string) => ({ type: 'message', role: 'assistant', content })
  const types = (items: readonly object[]) => items.map((item) => ('id' in item ? item.id : undefined))

  it('keeps its items', async () => {
    const said = { ...message('Look.'), phase: 'commentary', status: 'completed' }
    expect(sentBack(await reply(thought(), done(1, said), done(2, call)))).toEqual([
      { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gA+/=' },
      { ...said, content: [{ type: 'output_text', text: 'Look.', annotations: [] }] },
      { ...call, arguments: '{"p":1}' },
    ])
  })

  it('is only text and calls if its thinking is missing', async () => {
    const hidden = await reply(thought({}), done(1, message('Look.')), done(2, call))
    expect(sentBack(hidden)).toEqual([plain('Look.'), plainCall])
  })

  it('is only text and calls if an item has no end', async () => {
    const delta = 'data: {"type":"response.output_text.delta","output_index":1,"delta":"Half"}\n\n'
    expect(sentBack(await reply(thought(), delta))).toEqual([plain('Half')])
    expect(sentBack(await reply(added(0, { type: 'reasoning' }), done(1, message('a'))))).toEqual([
      plain('a'),
    ])
  })

  it('does not end in thinking', async () => {
    const more = done(2, { id: 'rs_2', type: 'reasoning', summary: [], encrypted_content: 'gB' })
    expect(types(sentBack(await reply(thought(), done(1, message('a')), more)))).toEqual(['rs_1', 'msg_1'])
    expect(sentBack(await reply(thought()))).toEqual([])
  })

  it('leaves out calls of server-side tools', async () => {
    const search = done(1, { id: 'ws_1', type: 'web_search_call', status: 'completed' })
    expect(types(sentBack(await reply(thought(), search, done(2, message('a')))))).toEqual(['rs_1', 'msg_1'])
  })
})
