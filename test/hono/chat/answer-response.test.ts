import { expect, it } from 'vitest'
import type { AnswerPart } from '../../../src/hono/chat/answer.ts'
import { type AnswerFormat, respond } from '../../../src/hono/chat/answer-response.ts'
import { stillClock } from '../../support/still-clock.ts'
import { thrown } from '../../support/thrown.ts'

const format: AnswerFormat = {
  part: (part) => [{ data: part.type }],
  failure: ({ code }) => ({ data: code }),
  whole: () => ({}),
}

/** An answer that counts how often it was let go of. */
function answer(more: (signal: AbortSignal) => AsyncGenerator<AnswerPart, void, undefined>) {
  const gone = new AbortController()
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
      ...{ clock: stillClock(), isStreamed: true, signal: gone.signal, format: () => format },
      open: async ({ signal }) => ({ model: 'm', parts: parts(signal) }),
    })
  return { gone, counted, response }
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
