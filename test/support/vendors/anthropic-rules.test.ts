import { describe, expect, it } from 'vitest'
import { checkMessagesBody } from './anthropic-rules.ts'

const text = (words: string) => ({ type: 'text', text: words })
const thought = { type: 'thinking', thinking: 'Hm.', signature: 'sig' }
const use = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: [text('42')] })
const user = (...content: readonly object[]) => ({ role: 'user', content })
const assistant = (...content: readonly object[]) => ({ role: 'assistant', content })
const hi = user(text('hi'))
const body = (...messages: readonly object[]) => ({ model: 'm', max_tokens: 2000, stream: true, messages })
const mark = { cache_control: { type: 'ephemeral' } }
const tools = { tools: [{ name: 'read', description: '', input_schema: { type: 'object' } }] }
const enabled = { thinking: { type: 'enabled', budget_tokens: 1024 } }

describe("the rules of the fake server for Anthropic's Messages", () => {
  it('allow a conversation', () => {
    const good = {
      ...body(hi, assistant(thought, use('a'), use('b')), user(result('b'), result('a'), text('and?'))),
      ...enabled,
      system: [{ ...text('Be brief.'), ...mark }],
    }
    expect(checkMessagesBody(good)).toEqual({ body: good })
    const choice = { ...body(hi), ...tools, tool_choice: { type: 'tool', name: 'read' } }
    expect(checkMessagesBody(choice)).toEqual({ body: choice })
  })

  it.each<[string, object]>([
    ['no limit', { ...body(hi), max_tokens: undefined }],
    ['no messages', body()],
    ['an unknown field', { ...body(hi), reasoning_effort: 'low' }],
    ['blank text', body(user(text(' ')))],
    [
      'a schema with a choice at its top',
      { ...body(hi), tools: [{ ...tools.tools[0], input_schema: { type: 'object', anyOf: [] } }] },
    ],
    ['a message without content', body(user())],
    ['an assistant who begins', body(assistant(text('a')), hi)],
    ['an assistant who has the last word', body(hi, assistant(text('a')))],
    ['two messages of one role', body(hi, hi)],
    ['thinking without a signature', body(hi, assistant({ ...thought, signature: '' }, text('a')), hi)],
    ['thinking at the end of a message', body(hi, assistant(text('a'), thought), hi)],
    ['an id with other letters', body(hi, assistant(use('a|b')), user(result('a|b')))],
    ['arguments that are no object', body(hi, assistant({ ...use('a'), input: [] }), user(result('a')))],
    [
      'the same id twice',
      body(hi, assistant(use('a')), user(result('a')), assistant(use('a')), user(result('a'))),
    ],
    ['a call without a result', body(hi, assistant(use('a')), hi)],
    ['a result without a call', body(hi, assistant(text('a')), user(result('a')))],
    ['a result after text', body(hi, assistant(use('a')), user(text('so'), result('a')))],
    [
      'an image in an error',
      body(
        hi,
        assistant(use('a')),
        user({
          ...result('a'),
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
          is_error: true,
        }),
      ),
    ],
    ['a choice without tools', { ...body(hi), tool_choice: { type: 'none' } }],
    ['a choice that is no tool', { ...body(hi), ...tools, tool_choice: { type: 'tool', name: 'b' } }],
    [
      'thinking before a call that must come',
      { ...body(hi), ...tools, ...enabled, tool_choice: { type: 'any' } },
    ],
    ['a budget that leaves nothing', { ...body(hi), thinking: { type: 'enabled', budget_tokens: 2000 } }],
    ['a temperature beside thinking', { ...body(hi), ...enabled, temperature: 1 }],
    [
      'calls without the thinking before them',
      { ...body(hi, assistant(use('a')), user(result('a'))), ...enabled },
    ],
    ['five marks', body(user(...Array.from({ length: 5 }, () => ({ ...text('a'), ...mark }))))],
  ])('reject %s', (_, value) => {
    expect(checkMessagesBody(value)).toEqual({ violation: expect.any(String) })
  })
})
