import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../src/json-value.ts'
import { readArguments, unwrapped } from '../../src/reply/call-arguments.ts'

const given = { path: 'a', text: 'the "}{" of b\\' }
const json = JSON.stringify(given)
const again = (value: string, times: number): string =>
  times === 0 ? value : again(JSON.stringify(value), times - 1)

describe('readArguments()', () => {
  it.each<[string, string, JsonValue | undefined]>([
    ['nothing', '', {}],
    ['null', ' null ', {}],
    ['an object', json, given],
    ['an object encoded twice', again(json, 1), given],
    ['an object encoded four times', again(json, 3), given],
    ['an object written twice', json + json, given],
    ['an object written three times on lines', `${json}\n${json}\r\n${json}\n`, given],
    ['an object written twice with other spaces', `${json} ${JSON.stringify(given, undefined, 2)}`, given],
    ['an empty object written twice', '{}{}', {}],
    ['a text of several lines', '{"text":\t"a\n\tb\u0000\\n"}\n', { text: 'a\n\tb\u0000\n' }],
    ['a text of several lines, twice', '{"text":"a\n"}{"text":"a\\n"}', { text: 'a\n' }],
    ['an object and a bracket too many', `${json}}\n]`, given],
    ['an object and tags', `${json}\n</tool_call><|im_end|>`, given],
    ['an object twice and a tag', `${json}${json}</tool_call>`, given],
    ['an object and a call in tags', `${json}<tool_call>${json}x`, undefined],
    ['a line that ends in a backslash', '{"text":"a\\\nb"}', undefined],
    ['a text of several lines without its end', '{"text":"a\n', undefined],
    ['two objects', '{"path":"a"}{"path":"b"}', undefined],
    ['an object and its beginning', `${json}${json.slice(0, -1)}`, undefined],
    ['an object and a word', `${json}yes`, undefined],
    ['an object without its end', json.slice(0, -1), undefined],
    ['a list', '[1]', [1]],
    ['a number', '5', 5],
    ['a flag', 'true', true],
    ['a text', '"words"', 'words'],
    ['a text of a number', '"5"', '5'],
    ['a list encoded twice', again('[1]', 1), '[1]'],
  ])('reads %s', (_, text, args) => {
    expect(readArguments(text)).toEqual(args)
  })

  it('reads long arguments that were written twice', () => {
    const long = { content: '{"a":"\\"}"}'.repeat(20_000) }
    expect(readArguments(JSON.stringify(long).repeat(2))).toEqual(long)
  })
})

it('unwrapped() returns any other value as it is', () => {
  const values = ['words', '', '{', 5, null, [json]]
  expect(values.map(unwrapped)).toEqual(values)
})
