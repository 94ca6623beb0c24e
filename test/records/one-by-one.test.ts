import { expect, it } from 'vitest'
import { OneByOne } from '../../src/records/one-by-one.ts'

it('work is done in the order in which it is given, whether it fails or not', async () => {
  const work = new OneByOne()
  const told: string[] = []
  const step = (name: string) => async () => {
    told.push(`${name} begins`)
    await Promise.resolve()
    told.push(`${name} ends`)
    if (name === 'first') throw new Error(name)
    return name
  }
  const first = work.run(step('first'))
  const second = work.run(step('second'))
  await expect(first).rejects.toThrow('first')
  await expect(second).resolves.toBe('second')
  expect(told).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
})

it('the end of all work is waited for, and throws nothing', async () => {
  const work = new OneByOne()
  await work.ended()
  const failed = work.run(() => Promise.reject(new Error('no')))
  await Promise.all([expect(failed).rejects.toThrow('no'), work.ended()])
})
