import { describe, expect, it } from 'vitest'
import { lastBlock, readAnswerJson } from '../../src/answers/answer-json.ts'

describe('the JSON of an answer', () => {
  it.each([
    ['the whole answer', ' {"a": 1}\n', '{"a": 1}'],
    ['a fenced block', 'Here:\n```json\n{"a": 1}\n```\nDone.', '{"a": 1}'],
    ['the last of several blocks', '```json\n[1]\n```\n```json\n[2]\n```', '[2]'],
    ['a number with all its digits', '12345678901234567890.10', '12345678901234567890.10'],
    ['a value that is no object', '"yes"', '"yes"'],
  ])('is %s', (_, answer, text) => {
    expect(readAnswerJson(answer)).toEqual({ text, value: JSON.parse(text) })
  })

  it.each(['', 'Sure!', '{"a": 1} and more', '```json\n{"a": 1}', '```json\n{a: 1}\n```'])(
    'is not found in %j',
    (answer) => expect(readAnswerJson(answer)).toEqual(expect.any(String)),
  )
})

describe('the last fenced block', () => {
  const answer = 'One:\n```sql\nselect 1;\n```\nTwo:\n~~~ Sh\nls ```\n~~~~\nend'

  it('is the last one of any language, without its fences', () => {
    expect(lastBlock(answer)).toEqual({ language: 'sh', text: 'ls ```\n' })
  })

  it('is the last one of a language, in any case', () => {
    expect(lastBlock(answer, 'SQL')).toEqual({ language: 'sql', text: 'select 1;\n' })
    expect(lastBlock(answer, 'python')).toBeUndefined()
  })

  it('may be in a longer fence that holds a shorter one', () => {
    expect(lastBlock('````md\n```js\n1\n```\n````\n')?.text).toBe('```js\n1\n```\n')
  })

  it('loses the indentation of its fence, and keeps empty lines', () => {
    expect(lastBlock('  ```py\n  if a:\n\n      b\n  ```')?.text).toBe('if a:\n\n    b\n')
  })

  it('is empty if nothing is between its fences, and none if it does not end', () => {
    expect(lastBlock('```\n```')).toEqual({ language: '', text: '' })
    expect(lastBlock('```\nlost')).toBeUndefined()
  })
})
