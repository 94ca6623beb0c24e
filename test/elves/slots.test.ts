import { describe, expect, it } from 'vitest'
import { Slots } from '../../src/elves/slots.ts'
import { thrown } from '../support/thrown.ts'

const { signal } = new AbortController()

/** Takes places, and notes the names of those who got one. */
function scene(most: number) {
  const slots = new Slots(most)
  const admitted: string[] = []
  const frees = new Map<string, () => void>()
  const take = async (name: string, { alone = false, stop = signal } = {}) => {
    const free = await slots.take({ alone, signal: stop })
    admitted.push(name)
    frees.set(name, free)
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return { slots, admitted, take, free: (name: string) => frees.get(name)?.(), settled }
}

describe('the places of elves', () => {
  it('admit four at once, and the next in the order they came', async () => {
    const { slots, admitted, take, free, settled } = scene(4)
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) void take(name)
    await settled()
    expect([admitted, slots.hasRoom(false)]).toEqual([['a', 'b', 'c', 'd'], false])
    free('b')
    free('b')
    await settled()
    expect(admitted).toEqual(['a', 'b', 'c', 'd', 'e'])
    free('a')
    await settled()
    expect(admitted.at(-1)).toBe('f')
  })

  it('admit one that must be alone once all others have ended, and nobody before it', async () => {
    const { admitted, take, free, settled } = scene(4)
    void take('a')
    void take('alone', { alone: true })
    void take('b')
    await settled()
    expect(admitted).toEqual(['a'])
    free('a')
    await settled()
    expect(admitted).toEqual(['a', 'alone'])
    free('alone')
    await settled()
    expect(admitted).toEqual(['a', 'alone', 'b'])
  })

  it('let those behind one that gave up go on', async () => {
    const { admitted, take, settled } = scene(4)
    const stop = new AbortController()
    void take('a')
    const waiting = thrown(() => take('alone', { alone: true, stop: stop.signal }))
    void take('b')
    await settled()
    stop.abort()
    expect(await waiting).toMatchObject({ code: 'aborted' })
    await settled()
    expect(admitted).toEqual(['a', 'b'])
  })
})
