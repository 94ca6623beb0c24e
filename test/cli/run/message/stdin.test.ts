import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { readInput, staysSilent } from '../../../../src/cli/run/message/stdin.ts'
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

it('stays silent if neither a byte nor its end comes in time, and keeps what comes', async () => {
  const clock = createHandClock()
  const { signal } = new AbortController()
  const wait = (source: Readable) => staysSilent(source, { ms: 3_000, clock, signal })
  const silent = wait(new Readable({ read: () => undefined }))
  clock.advance(3_000)
  expect(await silent).toBe(true)
  expect(await wait(Readable.from([]))).toBe(false)
  const source = new Readable({ read: () => undefined })
  const talking = wait(source)
  source.push('data')
  expect(await talking).toBe(false)
  source.push(null)
  expect(Buffer.concat(await source.toArray()).toString()).toBe('data')
  expect(clock.sleeping).toBe(0)
})
