import { describe, expect, it } from 'vitest'
import { text } from '../../support/messages/messages.ts'
import { added, called, done, end, functionCall, message, read, said } from './playback.ts'

const madeUp = expect.stringMatching(/^tool_/)

describe('the calls of a reply', () => {
  const calls = async (...events: readonly string[]) => {
    const { content } = await read(...events, end())
    return content.map((block) => ({ ...block, providerData: undefined }))
  }
  const delta = (delta: string) => said('function_call_arguments.delta', { delta })
  const whole = (text: string) => said('function_call_arguments.done', { arguments: text })

  it.each<[string, string[], unknown]>([
    ['in pieces', [delta('{"p"'), delta(':1}')], { p: 1 }],
    ['in pieces and whole', [delta('{"p"'), delta(':1}'), whole('{"p":1}')], { p: 1 }],
    ['whole only', [whole('{"p":1}')], { p: 1 }],
    ['whole and at the end', [whole('{"p":1}'), done(0, functionCall({ arguments: '{"p":1}' }))], { p: 1 }],
    ['at the end only', [done(0, functionCall({ arguments: '{"p":1}' }))], { p: 1 }],
    ['at the end, as an object', [done(0, functionCall({ arguments: { p: 1 } }))], { p: 1 }],
    ['at the end, empty before', [whole(''), done(0, functionCall({ arguments: '{"p":1}' }))], { p: 1 }],
    ['in pieces, with late ones ignored', [delta('{}'), whole('{}'), delta('x')], {}],
    ['empty', [whole(''), done(0, functionCall())], {}],
  ])('have arguments %s', async (_, events, args) => {
    expect(await calls(added(0, functionCall()), ...events)).toEqual([called('call_1', args)])
  })

  it.each<[string, string[]]>([
    ['alone', []],
    ['and again in pieces', [delta('{"p"'), delta(':1}')]],
    ['and again at the end', [done(0, functionCall({ arguments: '{"p":1}' }))]],
  ])('may have their arguments at their beginning, %s', async (_, events) => {
    const begun = added(0, functionCall({ arguments: '{"p":1}' }))
    expect(await calls(begun, ...events)).toEqual([called('call_1', { p: 1 })])
  })

  it('may come only in the last event, beside earlier items', async () => {
    const output = [message('a'), functionCall({ arguments: '{"p":1}' }), functionCall({ call_id: 'call_2' })]
    const { content } = await read(
      done(0, message('a')),
      done(1, functionCall({ arguments: '{"p":1}' })),
      end('completed', { output }),
    )
    expect(content).toMatchObject([text('a'), called('call_1', { p: 1 }), called('call_2', {})])
  })

  it('may begin with their end', async () => {
    expect(await calls(delta('{"p":1}'), done(0, functionCall({ arguments: '{"p":1}' })))).toEqual([
      called('call_1', { p: 1 }),
    ])
  })

  it('get a new id if theirs is missing or taken', async () => {
    const items = [functionCall(), functionCall(), functionCall({ call_id: null })].map((item, i) =>
      done(i, item),
    )
    expect(await calls(...items)).toEqual([called('call_1', {}), called(madeUp, {}), called(madeUp, {})])
  })

  it('keep arguments that are not JSON', async () => {
    expect(await calls(done(0, functionCall({ arguments: '{"p' })))).toEqual([
      called('call_1', null, { argumentsRaw: '{"p' }),
    ])
  })

  it('without a name are kept beside the others', async () => {
    const nameless = functionCall({ name: null, call_id: 'call_0', arguments: '{"p":1}' })
    expect(await calls(added(0, nameless), delta('{"p'), done(0, nameless), done(1, functionCall()))).toEqual(
      [{ ...called('call_0', { p: 1 }), name: 'unnamed' }, called('call_1', {})],
    )
  })

  it('of a custom tool have its input as JSON text', async () => {
    const custom = { id: 'ct_1', type: 'custom_tool_call', call_id: 'call_1', name: 'read', input: '' }
    const input = 'SELECT "a"\n'
    const { content } = await read(
      added(0, custom),
      said('custom_tool_call_input.delta', { delta: input }),
      said('custom_tool_call_input.done', { input }),
      done(0, { ...custom, input }),
      end(),
    )
    expect(content).toEqual([called('call_1', input)])
  })
})
