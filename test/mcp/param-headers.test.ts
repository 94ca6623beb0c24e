import { describe, expect, it } from 'vitest'
import { hasValidHeaders, headersOf } from '../../src/mcp/param-headers.ts'

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    limit: { type: 'integer', 'x-mcp-header': 'Limit' },
    isDry: { type: 'boolean', 'x-mcp-header': 'Dry' },
    place: { type: 'object', properties: { city: { type: 'string', 'x-mcp-header': 'City' } } },
    plain: { type: 'string', default: { 'x-mcp-header': 'None' } },
    'x-mcp-header': { type: 'string' },
  },
}

describe('the arguments of a call that headers name', () => {
  it('are those that the schema marks, at any depth, with values that a header can hold', () => {
    expect(
      headersOf(schema, {
        region: 'eu-west',
        limit: 3,
        isDry: false,
        place: { city: 'Köln' },
        plain: 'no',
        'x-mcp-header': 'no',
      }),
    ).toEqual({
      'Mcp-Param-Region': 'eu-west',
      'Mcp-Param-Limit': '3',
      'Mcp-Param-Dry': 'false',
      'Mcp-Param-City': '=?base64?S8O2bG4=?=',
    })
  })

  it('are left out where they have no value of their kind', () => {
    expect(headersOf(schema, { region: null, limit: 1.5, place: 'x' })).toEqual({})
  })

  it.each(['', ' a', 'a\nb: c', '=?base64?x?='])('are encoded if they could be misread: %j', (region) => {
    expect(headersOf(schema, { region })['Mcp-Param-Region']).toMatch(/^=\?base64\?[\w+/=]*\?=$/)
  })

  it('are marked validly, or the tool is not offered', () => {
    expect(hasValidHeaders(schema)).toBe(true)
    const bad = (property: object) => ({
      type: 'object',
      properties: { a: JSON.parse(JSON.stringify(property)) },
    })
    for (const property of [
      { type: 'string', 'x-mcp-header': '' },
      { type: 'string', 'x-mcp-header': 'a b' },
      { type: 'number', 'x-mcp-header': 'A' },
      { type: 'object', 'x-mcp-header': 'A' },
      { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } },
      { anyOf: [{ type: 'string', 'x-mcp-header': 'A' }] },
    ])
      expect(hasValidHeaders(bad(property))).toBe(false)
    const twice = { type: 'string', 'x-mcp-header': 'A' }
    expect(hasValidHeaders({ properties: { a: twice, b: { ...twice, 'x-mcp-header': 'a' } } })).toBe(false)
  })
})
