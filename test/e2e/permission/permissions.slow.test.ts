import { describe, expect, it } from 'vitest'
import { openWorld } from '../../support/programs/world.ts'
import { asks, linesOf } from './permissions-setup.ts'

describe('pipe permissions check', () => {
  it('answers thousands of lines in order, one answer each', async () => {
    const { pipe } = await openWorld()
    const some = Array<typeof asks>(20).fill(asks.slice(0, 109)).flat()
    const run = await pipe(['permissions', 'check'], { input: linesOf(some) })
    const answers = run.stdout.trimEnd().split('\n')
    expect(answers).toEqual(Array<readonly string[]>(20).fill(answers.slice(0, 109)).flat())
  })
})
