import { expect, it } from 'vitest'
import type { JsonObject } from '../../src/json-value.ts'
import { fitsStrict } from '../../src/openai/strict-schema.ts'

const closed = {
  type: 'object',
  properties: { a: { type: 'string' } },
  required: ['a'],
  additionalProperties: false,
}

it.each<[string, JsonObject]>([
  ['an object with exactly its fields', closed],
  ['objects below it', { ...closed, properties: { a: { anyOf: [closed, { type: 'null' }] } } }],
  ['references', { ...closed, properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: closed } }],
])('%s fits', (_, schema) => expect(fitsStrict(schema)).toBe(true))

it.each<[string, JsonObject]>([
  ['a list', { type: 'array', items: closed }],
  ['a field that may be absent', { ...closed, required: [] }],
  ['an object with any fields', { type: 'object', properties: {} }],
  ['such an object below', { ...closed, properties: { a: { type: 'array', items: { type: 'object' } } } }],
  ['a keyword that no server enforces', { ...closed, properties: { a: { type: 'string', minLength: 1 } } }],
  ['a part that is any value', { ...closed, properties: { a: true } }],
])('%s does not', (_, schema) => expect(fitsStrict(schema)).toBe(false))
