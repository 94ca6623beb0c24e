import { describe, expect, it } from 'vitest'
import { fuseRanks } from '../../src/ranking/rank-fusion.ts'

describe('rankings that are joined', () => {
  it('put first what several of them rank well', () => {
    expect(fuseRanks([['a', 'b', 'c'], ['c', 'd'], ['c']])).toEqual(['c', 'a', 'b', 'd'])
  })

  it('count a thing once per list, at its best rank', () => {
    expect(
      fuseRanks([
        ['a', 'b'],
        ['b', 'b', 'b', 'c'],
      ]),
    ).toEqual(['b', 'a', 'c'])
  })

  it('put things of equal worth in the order of the lists', () => {
    expect(fuseRanks([['a'], ['b']])).toEqual(['a', 'b'])
    expect(fuseRanks([[], ['b', 'a']])).toEqual(['b', 'a'])
    expect(fuseRanks([])).toEqual([])
  })

  it('weigh first ranks more with a small k', () => {
    const lists = [
      ['a', 'x', 'b'],
      ['y', 'x', 'b'],
    ]
    expect(fuseRanks(lists)[0]).toBe('x')
    expect(
      fuseRanks(
        [
          ['a', 'x'],
          ['b', 'c', 'd', 'e', 'x'],
        ],
        0,
      ),
    ).toEqual(['a', 'b', 'x', 'c', 'd', 'e'])
  })
})
