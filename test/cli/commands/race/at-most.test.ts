import { expect, it } from 'vitest'
import { atMost } from '../../../../src/cli/commands/race/at-most.ts'
import { deferred } from '../../../support/clocks/deferred.ts'

it('works on so many items at once and returns the results in their order', async () => {
  const begun: number[] = []
  const works = [0, 1, 2, 3].map(() => deferred<string>())
  const results = atMost(2, [0, 1, 2, 3], async (item) => {
    begun.push(item)
    return (await works[item]?.promise) ?? ''
  })
  expect(begun).toEqual([0, 1])
  works[1]?.resolve('b')
  await works[1]?.promise
  await Promise.resolve()
  await expect.poll(() => begun).toEqual([0, 1, 2])
  for (const [i, work] of works.entries()) work.resolve('abcd'.charAt(i))
  expect(await results).toEqual(['a', 'b', 'c', 'd'])
})

it('begins no other item after a failure, waits for those at work, and throws it', async () => {
  const begun: number[] = []
  const last = deferred<string>()
  const working = atMost(2, [0, 1, 2], async (item) => {
    begun.push(item)
    if (item === 0) throw new Error('broken')
    return last.promise
  })
  last.resolve('done')
  await expect(working).rejects.toThrow('broken')
  expect(begun).toEqual([0, 1])
})
