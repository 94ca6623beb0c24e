import { describe, expect, it } from 'vitest'
import { literalStart, openPlace } from '../../../src/mcp/material/uri-template.ts'

describe('a template of URIs', () => {
  it('begins with the text before its first place', () => {
    expect(literalStart('repo://{owner}/{name}')).toBe('repo://')
    expect(literalStart('repo://all')).toBe('repo://all')
  })

  it.each([
    ['repo://', { name: 'owner', value: '', before: 'repo://', filled: {} }],
    ['repo://an', { name: 'owner', value: 'an', before: 'repo://', filled: {} }],
    ['repo://ann/si', { name: 'name', value: 'si', before: 'repo://ann/', filled: { owner: 'ann' } }],
    ['rep', undefined],
    ['other://an', undefined],
  ])('knows the place that is being filled: %s', (typed, place) => {
    expect(openPlace('repo://{owner}/{name}', typed)).toEqual(place)
  })

  it('has none once all are filled, or where its form is not known', () => {
    expect(openPlace('a:{x}/end', 'a:1/end')).toBeUndefined()
    expect(openPlace('a:b', 'a:b')).toBeUndefined()
    expect(openPlace('a:{?query*}', 'a:')).toBeUndefined()
  })
})
