import { describe, expect, it } from 'vitest'
import { toolSchema } from '../../../src/http/dialect/tool-schema.ts'

const string = { type: 'string' }
const number = { type: 'number' }

describe('the schema of a tool', () => {
  it('is sent as it is if its top is a plain object', () => {
    const schema = {
      type: 'object',
      properties: { a: { anyOf: [string, number] } },
      required: ['a'],
      additionalProperties: false,
    }
    expect(JSON.stringify(toolSchema(schema))).toBe(JSON.stringify(schema))
  })

  it('is an object without fields if it says nothing', () => {
    expect(toolSchema({})).toEqual({ type: 'object', properties: {} })
  })

  it('keeps its own fields where its variants only tell which are required', () => {
    const anyOf = [{ required: ['a'] }, { properties: { b: { const: 1 } }, required: ['b'] }]
    const properties = { a: string, b: number }
    expect(toolSchema({ type: 'object', properties, anyOf })).toEqual({ type: 'object', properties })
  })

  it('has the fields of its variants, of any of their kinds', () => {
    const oneOf = [
      { properties: { kind: { const: 'a' }, name: string }, required: ['kind', 'name'] },
      { properties: { kind: { const: 'b' }, name: string, at: number }, required: ['kind'] },
    ]
    expect(toolSchema({ type: 'object', oneOf })).toEqual({
      type: 'object',
      properties: { kind: { anyOf: [{ const: 'a' }, { const: 'b' }] }, name: string, at: number },
    })
  })

  it('requires what each of its parts requires', () => {
    const allOf = [{ properties: { a: string }, required: ['a'] }, { properties: { b: number } }]
    expect(toolSchema({ allOf, required: ['b'] })).toEqual({
      type: 'object',
      properties: { a: string, b: number },
      required: ['b', 'a'],
    })
  })
  it.each(['$defs', 'definitions'])('has the fields of variants that stand in its %s', (where) => {
    const definitions = {
      A: { properties: { a: string }, required: ['a'] },
      B: { properties: { b: number } },
    }
    const [a, b] = [{ $ref: `#/${where}/A` }, { $ref: `#/${where}/B` }]
    expect(toolSchema({ type: 'object', oneOf: [a, b], [where]: definitions })).toEqual({
      type: 'object',
      properties: { a: string, b: number },
      [where]: definitions,
    })
    expect(toolSchema({ allOf: [a, b], [where]: definitions })).toHaveProperty('required', ['a'])
  })
})
