import { describe, expect, it } from 'vitest'
import { parametersSchema } from '../../src/google/gemini-schema.ts'
import type { JsonObject } from '../../src/json-value.ts'
import { checkGeminiBody } from '../support/vendors/gemini-rules.ts'

/** Returns the parameters sent for a schema. Checks them by the rules of the real server. */
function sent(schema: JsonObject): JsonObject | undefined {
  const parameters = parametersSchema(schema)
  const declaration = { name: 'tool', description: 'A tool.', ...(parameters && { parameters }) }
  const body = {
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    tools: [{ functionDeclarations: [declaration] }],
  }
  expect(checkGeminiBody(JSON.parse(JSON.stringify(body)))).not.toHaveProperty('violation')
  return parameters
}

/** Converts the schema of one property. */
function property(schema: JsonObject | true, definitions: JsonObject = {}): unknown {
  const whole = sent({ type: 'object', properties: { x: schema }, ...definitions })
  expect(whole).toEqual({ type: 'OBJECT', properties: { x: expect.anything() } })
  return Object.values(whole?.['properties'] ?? {})[0]
}

describe('the parameters of a function', () => {
  it('are an object with its properties', () => {
    expect(
      sent({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: 'Read',
        type: 'object',
        description: 'What to read.',
        properties: {
          path: { type: 'string', description: 'a file', minLength: 1, pattern: '^/', default: '/' },
          lines: { type: 'array', items: { type: 'integer', exclusiveMinimum: 0, minimum: 1 }, maxItems: 2 },
          deep: { type: 'object', properties: { on: { type: 'boolean' } }, required: ['on'] },
        },
        required: ['path', 'nowhere'],
        additionalProperties: false,
      }),
    ).toEqual({
      type: 'OBJECT',
      description: 'What to read.',
      properties: {
        path: { type: 'STRING', description: 'a file' },
        lines: { type: 'ARRAY', items: { type: 'INTEGER', minimum: 1 }, maxItems: 2 },
        deep: { type: 'OBJECT', properties: { on: { type: 'BOOLEAN' } }, required: ['on'] },
      },
      required: ['path'],
    })
  })

  it.each<JsonObject>([
    {},
    { type: 'object' },
    { type: 'object', properties: {}, additionalProperties: false },
  ])('are undefined for %j', (schema) => expect(sent(schema)).toBeUndefined())

  it('merge the properties of several objects', () => {
    const one = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
    const other = { type: 'object', properties: { b: { type: 'number' } } }
    expect(sent({ oneOf: [one, other] })).toEqual({
      type: 'OBJECT',
      properties: { a: { type: 'STRING' }, b: { type: 'NUMBER' } },
    })
  })

  it('ignore further restrictions', () => {
    const properties = { a: { type: 'string' }, b: { type: 'string' } }
    expect(sent({ type: 'object', properties, anyOf: [{ required: ['a'] }, { required: ['b'] }] })).toEqual({
      type: 'OBJECT',
      properties: { a: { type: 'STRING' }, b: { type: 'STRING' } },
    })
  })
})

describe('a schema', () => {
  it.each<[string, JsonObject | true, JsonObject]>([
    ['a known format', { type: 'string', format: 'date-time' }, { type: 'STRING', format: 'date-time' }],
    ['an unknown format', { type: 'string', format: 'uri' }, { type: 'STRING' }],
    ['limits', { type: 'number', minimum: 0, maximum: 1.5 }, { type: 'NUMBER', minimum: 0, maximum: 1.5 }],
    ['texts to choose from', { enum: ['a', '', 'b'] }, { type: 'STRING', enum: ['a', 'b'] }],
    ['a single text', { const: 'a' }, { type: 'STRING', enum: ['a'] }],
    ['numbers to choose from', { type: 'integer', enum: [1, 2] }, { type: 'INTEGER' }],
    ['a single number', { const: 1 }, { type: 'NUMBER' }],
    ['a single boolean', { const: true }, { type: 'BOOLEAN' }],
    ['no type', { description: 'anything' }, { type: 'STRING', description: 'anything' }],
    ['no keywords', true, { type: 'STRING' }],
    ['an unknown type', { type: 'file' }, { type: 'STRING' }],
    [
      'properties but no type',
      { properties: { a: true } },
      { type: 'OBJECT', properties: { a: { type: 'STRING' } } },
    ],
    ['an object of any kind', { type: 'object', additionalProperties: true }, { type: 'OBJECT' }],
    ['a list of anything', { type: 'array' }, { type: 'ARRAY', items: { type: 'STRING' } }],
    ['a list of one kind', { items: { type: 'number' } }, { type: 'ARRAY', items: { type: 'NUMBER' } }],
    [
      'a list of fixed places',
      { type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], minItems: 2 },
      { type: 'ARRAY', items: { anyOf: [{ type: 'NUMBER' }, { type: 'STRING' }] }, minItems: 2 },
    ],
    [
      'two types',
      { type: ['string', 'number'], description: 'd', minimum: 1 },
      {
        anyOf: [
          { type: 'STRING', description: 'd' },
          { type: 'NUMBER', description: 'd', minimum: 1 },
        ],
      },
    ],
    [
      'a type or null',
      { type: ['array', 'null'], items: { type: 'string' } },
      { type: 'ARRAY', items: { type: 'STRING' }, nullable: true },
    ],
    [
      'one of two, one of them null',
      { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }], description: 'd', default: null },
      { type: 'STRING', enum: ['a'], description: 'd', nullable: true },
    ],
    [
      'one of three',
      { oneOf: [{ type: 'string' }, { const: 'b', description: 'own' }, { type: 'null' }], description: 'd' },
      {
        anyOf: [
          { type: 'STRING', description: 'd', nullable: true },
          { type: 'STRING', enum: ['b'], description: 'own', nullable: true },
        ],
      },
    ],
    ['only null', { type: 'null' }, { type: 'STRING' }],
    ['only null in a list', { type: ['null'] }, { type: 'STRING', nullable: true }],
    ['nullable', { type: 'string', nullable: true }, { type: 'STRING', nullable: true }],
    [
      'all of several',
      {
        allOf: [
          { properties: { a: { type: 'string' } }, required: ['a'] },
          { type: 'object', properties: { b: { type: 'number' } }, required: ['b'] },
          { not: {} },
        ],
        description: 'd',
      },
      {
        type: 'OBJECT',
        properties: { a: { type: 'STRING' }, b: { type: 'NUMBER' } },
        required: ['a', 'b'],
        description: 'd',
      },
    ],
    ['all of nothing', { type: 'number', allOf: [{ not: {} }] }, { type: 'NUMBER' }],
  ])('with %s', (_, schema, expected) => {
    expect(property(schema)).toEqual(expected)
  })

  it('has its references inlined', () => {
    const $defs = { 'a/b': { type: 'string', description: 'there' }, link: { $ref: '#/$defs/a~1b' } }
    expect(property({ $ref: '#/$defs/link' }, { $defs })).toEqual({ type: 'STRING', description: 'there' })
    expect(property({ allOf: [{ $ref: '#/$defs/link' }], description: 'here' }, { $defs })).toEqual({
      type: 'STRING',
      description: 'here',
    })
    expect(property({ $ref: 'https://example.com/schema' })).toEqual({ type: 'STRING' })
  })

  it('ends if it contains itself', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' }, all: { $ref: '#' } } }
    const inner = { next: { type: 'OBJECT' } }
    expect(property({ $ref: '#/$defs/node' }, { $defs: { node } })).toMatchObject({ properties: inner })
  })

  it('ends if many contain each other', () => {
    const names = Array.from({ length: 30 }, (_, i) => `d${i}`)
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]))
    const $defs = Object.fromEntries(names.map((name) => [name, { type: 'object', properties }]))
    expect(JSON.stringify(sent({ type: 'object', properties, $defs })).length).toBeLessThan(1e6)
  })
})
