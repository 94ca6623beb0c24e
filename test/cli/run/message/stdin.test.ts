import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { readInput } from '../../../../src/cli/run/message/stdin.ts'
import { createHandClock } from '../../../support/clocks/hand-clock.ts'

it('that is never silent and does not end is reported once, after ten seconds', async () => {
  const clock = createHandClock()
  const hints: string[] = []
  const source = new Readable({ read: () => undefined })
  const reading = readInput(source, {
    spillPath: '/nowhere',
    limits: {},
    source: { name: 'stdin', hint: 'ignore it', remedy: '' },
    hint: (text) => hints.push(text),
    clock,
    signal: new AbortController().signal,
  })
  for (let second = 1; second <= 12; second++) {
    const waits = clock.slept.length
    source.push('line\n')
    await expect.poll(() => clock.slept.length > waits || hints.length > 0).toBe(true)
    clock.advance(1_000)
    expect(hints).toHaveLength(second < 10 ? 0 : 1)
  }
  source.push(null)
  await reading
  expect(hints).toEqual(['pipe: waiting for the end of stdin (ignore it)\n'])
})
