import { expect, it } from 'vitest'
import { PipeError } from '../../../src/error.ts'
import type { AnswerPart } from '../../../src/hono/chat/answer.ts'
import { type AnswerFormat, respond } from '../../../src/hono/chat/answer-response.ts'
import { deferred } from '../../support/clocks/deferred.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { thrown } from '../../support/thrown.ts'

const format: AnswerFormat = {
  part: (part) => [{ data: part.type }],
  failure: ({ code }) => ({ data: code }),
  whole: () => ({}),
}

/** An answer that counts how often it was let go of. */
function answer(more: (signal: AbortSignal) => AsyncGenerator<AnswerPart, void, undefined>) {
  const gone = new AbortController()
  const clock = createHandClock()
  const counted = { released: 0 }
  async function* parts(signal: AbortSignal): AsyncGenerator<AnswerPart, void, undefined> {
    try {
      yield* more(signal)
    } finally {
      counted.released++
    }
  }
  const response = () =>
    respond({
      clock,
      isStreamed: true,
      signal: gone.signal,
      format: () => format,
      open: async ({ signal }) => ({ model: 'm', parts: parts(signal) }),
    })
  return { clock, gone, counted, response }
}

const begin: AnswerPart = { type: 'begin' }

it('lets go of an answer whose client leaves before it reads anything', async () => {
  const { gone, counted, response } = answer(async function* () {
    gone.abort()
    yield begin
    yield { type: 'text', text: 'unheard' }
  })
  await (await response()).text()
  expect(counted.released).toBe(1)
})

it('lets go of an answer whose client leaves while a part is awaited', async () => {
  const { gone, counted, response } = answer(async function* (signal) {
    yield begin
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  const { body } = await response()
  const reader = body?.getReader()
  await reader?.read()
  gone.abort()
  await reader?.cancel()
  await expect.poll(() => counted.released).toBe(1)
})

it('lets go of an answer at its end, and of one that fails before it begins', async () => {
  const whole = answer(async function* () {
    yield begin
  })
  expect(await (await whole.response()).text()).toBe('data: begin\n\n')
  expect(whole.counted.released).toBe(1)
  const failure = new Error('no model')
  // biome-ignore lint/correctness/useYield: it fails before its first part.
  const failed = answer(async function* () {
    throw failure
  })
  expect(await thrown(failed.response)).toBe(failure)
  expect(failed.counted.released).toBe(1)
})

it('begins a stream after 10 s without a first part, and tells a later failure in it', async () => {
  const first = deferred()
  // biome-ignore lint/correctness/useYield: it fails before its first part.
  const { clock, response } = answer(async function* () {
    await first.promise
    throw new PipeError('overloaded', 'no room')
  })
  const begun = response()
  await expect.poll(() => clock.sleeping).toBe(1)
  clock.advance(10_000)
  const { headers, body } = await begun
  expect(headers.get('x-accel-buffering')).toBe('no')
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toBe(': ping\n\n')
  clock.advance(15_000)
  expect((await reader?.read())?.value).toBe(': ping\n\n')
  first.resolve()
  expect((await reader?.read())?.value).toBe('data: OVERLOADED\n\n')
})
