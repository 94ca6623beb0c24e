import { describe, expect, it } from 'vitest'
import type { AssistantMessage, ContentBlock } from '../../src/message.ts'
import { text } from '../support/messages/messages.ts'
import { ask } from '../support/models/asking.ts'
import { done, lines, ollama } from './playback.ts'

function read(...objects: readonly object[]): Promise<AssistantMessage> {
  return ask(ollama({ bytes: lines(...objects) }))
}

const say = (message: object, fields: object = {}) => ({ message, done: false, ...fields })
const called = (fields: object, id: object = {}) => ({ ...id, function: { name: 'read', ...fields } })
const call = (id: string, fields: Partial<ContentBlock> = {}) => ({
  type: 'tool_call',
  id,
  name: 'read',
  arguments: {},
  ...fields,
})
const madeUp = expect.stringMatching(/^tool_/)

describe('a reply', () => {
  it('holds thinking, text, model and usage', async () => {
    const counts = { total_duration: 9, prompt_eval_count: 26, eval_count: 7, eval_duration: 3 }
    expect(
      await read(
        say({ content: '', thinking: 'H' }),
        say({ content: '', thinking: 'm.' }),
        say({ content: 'Grüße, ' }),
        say({ content: '世界.' }),
        { ...done, model: 'm-2', ...counts },
      ),
    ).toMatchObject({
      provider: 'ollama',
      model: 'm-2',
      content: [{ type: 'thinking', thinking: 'Hm.' }, text('Grüße, 世界.')],
      stopReason: 'end_turn',
      rawStopReason: 'stop',
      usage: { inputTokens: 26, outputTokens: 7, raw: counts },
    })
  })

  it('has no usage if the prompt was still in memory and the reply is empty', async () => {
    const message = await read({ ...done, eval_duration: 3 })
    expect(message.usage).toEqual({ inputTokens: 0, outputTokens: 0, raw: { eval_duration: 3 } })
  })

  it('may have the format of the older endpoint', async () => {
    const older = { model: 'm-1', response: '', done: true, done_reason: 'stop', context: [1, 2] }
    expect(
      await read({ thinking: 'Hm.', response: '', done: false }, { response: 'Hi' }, older),
    ).toMatchObject({
      content: [{ type: 'thinking', thinking: 'Hm.' }, text('Hi')],
      stopReason: 'end_turn',
    })
  })

  it('may hold text in its last line', async () => {
    const message = { content: 'Hi', tool_calls: [called({ arguments: {} })] }
    expect(await read({ ...done, message })).toMatchObject({
      content: [text('Hi'), call(madeUp)],
      stopReason: 'tool_use',
    })
  })

  it('ignores unknown content', async () => {
    const odd = { model: 1, message: 'what', tool_calls: 7, created: null, done: 'no' }
    expect(await read(odd, { progress: 5 }, say({ content: ['a'], audio: {} }), done)).toMatchObject({
      content: [],
      stopReason: 'end_turn',
    })
  })

  it.each([
    ['stop', 'end_turn'],
    ['length', 'length'],
    ['load', 'end_turn'],
    ['unload', 'end_turn'],
    ['tired', 'unknown'],
  ])('with the stop reason %s ends with %s', async (done_reason, stopReason) => {
    const { rawStopReason, ...message } = await read(say({ content: 'Hi' }), { ...done, done_reason })
    expect({ stopReason: message.stopReason, rawStopReason }).toEqual({
      stopReason,
      rawStopReason: done_reason,
    })
  })

  it('without a stop reason ends normally', async () => {
    const { message, model } = done
    const reply = await read(say({ content: 'Hi' }), { message, model, done: true })
    expect(reply).toMatchObject({ stopReason: 'end_turn' })
    expect(reply).not.toHaveProperty('rawStopReason')
  })

  it('reads nothing after its end', async () => {
    expect(await read(say({ content: 'Hi' }), done, { error: 'late' })).toMatchObject({
      content: [text('Hi')],
    })
  })
})

describe('the calls of a reply', () => {
  const path = { path: 'a b.txt', lines: [1, 2] }

  it('are complete, in one line or several, and get ids', async () => {
    const message = await read(
      say({ tool_calls: [called({ arguments: path }), called({ index: 1, arguments: {} })] }),
      say({ tool_calls: [called({ arguments: { path: 'c' } })] }),
      done,
    )
    expect(message).toMatchObject({
      content: [call(madeUp, { arguments: path }), call(madeUp), call(madeUp, { arguments: { path: 'c' } })],
      stopReason: 'tool_use',
    })
    expect(new Set(message.content.map((block) => 'id' in block && block.id)).size).toBe(3)
  })

  it('keep the server’s ids, each once', async () => {
    const twice = [called({ arguments: {} }, { id: 'call_7' }), called({ arguments: {} }, { id: 'call_7' })]
    expect(await read(say({ tool_calls: twice }), done)).toMatchObject({
      content: [call('call_7'), call(madeUp)],
    })
  })

  it.each<[string, object, object]>([
    ['as text', { arguments: JSON.stringify(path) }, { arguments: path }],
    ['as text that is not JSON', { arguments: '{"pa' }, { arguments: null, argumentsRaw: '{"pa' }],
    ['not at all', {}, { arguments: {} }],
    ['as null', { arguments: null }, { arguments: {} }],
  ])('may have their arguments %s', async (_, fields, expected) => {
    expect(await read(say({ tool_calls: [called(fields)] }), done)).toMatchObject({
      content: [{ ...call(madeUp), ...expected }],
    })
  })

  it('do not run if the reply was cut at its limit', async () => {
    const message = await read(say({ tool_calls: [called({ arguments: {} })] }), {
      ...done,
      done_reason: 'length',
    })
    expect(message).toMatchObject({ stopReason: 'length' })
  })

  it('without a name are kept beside the others', async () => {
    const made = [called({ name: '', arguments: {} }), called({ arguments: {} })]
    expect(await read(say({ tool_calls: made }), done)).toMatchObject({
      content: [{ ...call(madeUp), name: 'unnamed' }, call(madeUp)],
    })
  })
})
