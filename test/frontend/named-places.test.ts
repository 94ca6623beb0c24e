import { describe, expect, it } from 'vitest'
import { namedPlaces, withParams } from '../../src/frontend/named-places.ts'

describe('places by name', () => {
  it('are found with blanks around the name, each once', () => {
    expect([...namedPlaces('{{a}} {{ b-c }} {{a}} {d} {{e f}} {{}}')]).toEqual(['a', 'b-c'])
  })

  it('are filled with the value as it is, and stay where there is none', () => {
    const params = new Map([['a', '$& {{b}}']])
    expect(withParams('{{a}}, {{ a }}, {{b}}', params)).toBe('$& {{b}}, $& {{b}}, {{b}}')
    expect(withParams('{{a}}', undefined)).toBe('{{a}}')
  })
})
