import { describe, expect, it } from 'vitest'
import { CallIds } from '../../../src/http/dialect/call-ids.ts'

describe('call ids', () => {
  it('stay unchanged if they fit', () => {
    const ids = new CallIds()
    expect([ids.begin('toolu_01Ab-'), ids.get('toolu_01Ab-')]).toEqual(['toolu_01Ab-', 'toolu_01Ab-'])
  })

  it('become the next free number if they do not fit', () => {
    const ids = new CallIds()
    const given = ['call_1', 'a b', 'x'.repeat(41), 'call_2'].map((id) => ids.begin(id))
    expect(given).toEqual(['call_1', 'call_2', 'call_3', 'call_4'])
    expect(ids.get('a b')).toBe('call_2')
  })

  it('differ between replies that restart their numbers', () => {
    const ids = new CallIds()
    const round = () => [ids.begin('call_0'), ids.get('call_0')]
    expect([round(), round(), round()]).toEqual([
      ['call_0', 'call_0'],
      ['call_1', 'call_1'],
      ['call_2', 'call_2'],
    ])
  })

  it('of the server itself stay unchanged in any form, the first time', () => {
    const ids = new CallIds()
    expect([ids.begin('functions.glob:0', true), ids.begin('functions.glob:0', true)]).toEqual([
      'functions.glob:0',
      'call_1',
    ])
  })

  it('may have a fixed length', () => {
    const ids = new CallIds(9)
    expect(['D681PevKs', 'call_1', 'D681PevKs'].map((id) => ids.begin(id))).toEqual([
      'D681PevKs',
      '000000001',
      '000000002',
    ])
  })
})
