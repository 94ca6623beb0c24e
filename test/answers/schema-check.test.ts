import { describe, expect, it } from 'vitest'
import { SchemaCheck } from '../../src/answers/schema-check.ts'
import type { JsonObject, JsonValue } from '../../src/json-value.ts'

function faults(schema: JsonObject, value: JsonValue) {
  return new SchemaCheck(schema).faults(value)
}

describe('a check of a value', () => {
  const person = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1 },
      tags: { type: 'array', items: { $ref: '#/$defs/tag' } },
    },
    required: ['name'],
    additionalProperties: false,
    $defs: { tag: { enum: ['a', 'b'] } },
  }

  it('has no fault in a value that fits', () => {
    expect(faults(person, { name: 'Ann', tags: ['a'] })).toEqual([])
  })

  it('names the place of each fault, and no fault twice', () => {
    expect(faults(person, { name: '', tags: ['a', 'c'], age: 3 })).toEqual([
      '/name: String is too short (0 < 1)',
      expect.stringMatching(/^\/tags\/1: /),
      '/age: is not allowed',
    ])
  })

  it('speaks of the whole where the whole is wrong', () => {
    expect(faults(person, [])).toEqual([expect.stringMatching(/^the whole: .*object/)])
  })

  it('tells five faults of many', () => {
    expect(faults({ type: 'array', items: { type: 'string' } }, [1, 2, 3, 4, 5, 6, 7])).toHaveLength(5)
  })

  it('takes depth without end as a fault', () => {
    const deep = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000))
    expect(faults({ type: 'array' }, deep)).toEqual(['the whole: is nested deeper than 200 levels'])
  })

  it('takes a name with half a surrogate pair as a fault, wherever it is', () => {
    const reason = 'the whole: has half a surrogate pair in the name "\\ud800"'
    expect(faults({ additionalProperties: { type: 'string' } }, { '\ud800': 'a' })).toEqual([reason])
    expect(faults({}, [1, { a: { '😀': [], '\ud800': 1 } }])).toEqual([reason])
    expect(faults({ additionalProperties: { type: 'string' } }, { '😀%': '\ud800' })).toEqual([])
  })

  it('takes a schema that refers to itself without end as a fault', () => {
    expect(faults({ $ref: '#' }, 1)).toEqual([expect.stringMatching(/^the whole: cannot be checked: /)])
  })

  it('leaves the schema as it is, so that it can be sent', () => {
    const schema = structuredClone(person)
    faults(schema, {})
    expect(schema).toEqual(person)
  })

  it('reads a tuple as its draft means it', () => {
    const tuple = { items: [{ type: 'string' }] }
    expect(faults({ $schema: 'http://json-schema.org/draft-07/schema#', ...tuple }, [1])).toHaveLength(1)
  })

  it('gives up on a pattern that takes too long', () => {
    const slow = new SchemaCheck({ type: 'string', pattern: '^(\\w+\\s?)*$' })
    expect(() => slow.faults(`${'word '.repeat(12)}!`)).toThrow(
      'a check takes longer than 1 s; simplify its patterns',
    )
  })
})

describe('a schema', () => {
  it.each<[string, JsonObject, string]>([
    ['a kind that does not exist', { type: 'strng' }, '/type: '],
    [
      'a fault far below',
      { properties: { a: { items: { minimum: 'x' } } } },
      '/properties/a/items/minimum: ',
    ],
    ['a reference to nothing', { properties: { a: { $ref: '#/$defs/a' } } }, 'it has nothing at #/$defs/a'],
    [
      'a reference to elsewhere',
      { $ref: 'https://example.com/a.json' },
      'it has nothing at https://example.com/a.json',
    ],
    ['a pattern that is none', { pattern: '(' }, '"(" is not a valid pattern'],
    ['half a surrogate pair', { 'x-names': { '\ud800': 1 } }, 'the whole: has half a surrogate pair'],
    ['a pattern of names that is none', { patternProperties: { '[': {} } }, '"[" is not a valid pattern'],
  ])('with %s is refused', (_, schema, reason) => {
    expect(() => new SchemaCheck(schema)).toThrow(`the schema is not valid: ${reason}`)
  })

  it('may hold words that the check does not know', () => {
    expect(faults({ type: 'string', 'x-order': 1, format: 'colour' }, 'red')).toEqual([])
  })
})
