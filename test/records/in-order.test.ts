import { describe, expect, it } from 'vitest'
import { mapInOrder } from '../../src/records/in-order.ts'
import { thrown } from '../support/thrown.ts'

async function* numbers(pulled: number[], most = Number.POSITIVE_INFINITY) {
  for (let i = 1; i <= most; i++) {
    pulled.push(i)
    yield i
  }
}

/** Work that ends when it is told to. */
function openWork() {
  const open = new Map<number, (result: number) => void>()
  return {
    open,
    work: (item: number) => new Promise<number>((resolve) => open.set(item, resolve)),
    end: (item: number) => {
      open.get(item)?.(item)
      open.delete(item)
    },
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('mapInOrder', () => {
  it('yields in the order of the items, whichever is done first', async () => {
    const { work, end } = openWork()
    const results = mapInOrder(numbers([], 3), work, { jobs: 3, ahead: 9, end: () => undefined })
    const first = results.next()
    await settle()
    end(3)
    end(2)
    end(1)
    expect((await first).value).toBe(1)
    expect([(await results.next()).value, (await results.next()).value]).toEqual([2, 3])
    expect(await results.next()).toEqual({ done: true, value: undefined })
  })

  it('pulls no more than it may run or keep', async () => {
    const pulled: number[] = []
    const { work, end, open } = openWork()
    const results = mapInOrder(numbers(pulled), work, {
      jobs: 2,
      ahead: 4,
      end: () => [...open.keys()].map(end),
    })
    const first = results.next()
    await settle()
    expect(pulled).toEqual([1, 2])
    for (const item of [2, 3, 4]) {
      end(item)
      await settle()
    }
    // The first is slow, and holds up the reading.
    expect(pulled).toEqual([1, 2, 3, 4])
    end(1)
    expect((await first).value).toBe(1)
    await results.return(undefined)
    expect(open.size).toBe(0)
  })

  it('throws what items and work throw, and leaves nothing running', async () => {
    const { work, open, end } = openWork()
    const fail = (item: number) => (item === 2 ? Promise.reject(new Error('no')) : work(item))
    const all = async () => {
      const options = { jobs: 3, ahead: 3, end: () => [...open.keys()].map(end) }
      for await (const item of mapInOrder(numbers([]), fail, options)) expect(item).toBe(1)
    }
    const failing = thrown(all)
    await settle()
    end(1)
    expect(await failing).toMatchObject({ message: 'no' })
    expect(open.size).toBe(0)
  })
})
