import { expect, it } from 'vitest'
import { shortSchema } from '../../src/answers/short-schema.ts'

function closed(properties: object) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

it('reads names with kinds and descriptions, text by default', () => {
  expect(shortSchema('name, age int, bio: a short text, is-open bool, scores float[]: of all games')).toEqual(
    closed({
      name: { type: 'string' },
      age: { type: 'integer' },
      bio: { type: 'string', description: 'a short text' },
      'is-open': { type: 'boolean' },
      scores: { type: 'array', items: { type: 'number' }, description: 'of all games' },
    }),
  )
})

it('takes a line for a field, so that a description may have commas', () => {
  expect(shortSchema('name: first, then last\n\nage int\n')).toEqual(
    closed({ name: { type: 'string', description: 'first, then last' }, age: { type: 'integer' } }),
  )
})

it.each(['age integr', 'a b c', '[1]', '"name"', 'a: {}x, b c d'])(
  'refuses %j and says how to write it',
  (text) => {
    expect(() => shortSchema(text)).toThrow(
      /^cannot read ".+" in the schema: write a name and a kind \(str, /,
    )
  },
)

it('refuses a schema without a field', () => {
  expect(() => shortSchema(' , ')).toThrow('the schema names no field')
})
