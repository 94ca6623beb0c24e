import { expect, it } from 'vitest'
import { answerSchema } from '../../src/anthropic/answer-schema.ts'

it('closes objects, and moves keywords that the server does not enforce into descriptions', () => {
  const schema = { type: 'object', properties: { a: { type: 'string', minLength: 2 } }, required: ['a'] }
  expect(answerSchema(schema)).toEqual({
    ...schema,
    properties: { a: { type: 'string', description: expect.stringContaining('minLength') } },
    additionalProperties: false,
  })
})

it.each([
  ['a map', { type: 'object', additionalProperties: { type: 'string' } }],
  ['a map below', { type: 'array', items: { type: 'object' } }],
  ['a part of any type', { type: 'object', properties: { a: {} }, required: ['a'] }],
])('has no words for %s', (_, schema) => expect(answerSchema(schema)).toBeUndefined())
