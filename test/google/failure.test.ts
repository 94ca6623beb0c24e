import { describe, expect, it } from 'vitest'
import { PipeError } from '../../src/error.ts'
import { text } from '../support/messages/messages.ts'
import { ask, failure, pull } from '../support/models/asking.ts'
import { event, partEvent } from '../support/vendors/gemini-sse.ts'
import { gemini } from './playback.ts'

/** An error in the dialect's own format. */
const said = (code: number, status: string, message: string, ...details: readonly object[]) => ({
  error: { code, message, status, ...(details.length > 0 ? { details } : {}) },
})
const info = (reason: string) => ({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason })
const retry = (retryDelay: string) => ({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay })
const quota = (quotaId: string) => ({
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaMetric: 'requests', quotaId }],
})

const errors: readonly (readonly [body: ReturnType<typeof said>, code: string])[] = [
  [said(400, 'INVALID_ARGUMENT', 'Invalid value at tools'), 'invalid'],
  [said(400, 'FAILED_PRECONDITION', 'User location is not supported'), 'invalid'],
  [said(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'), 'auth'],
  [said(400, 'INVALID_ARGUMENT', 'No.', info('API_KEY_INVALID')), 'auth'],
  [
    said(
      400,
      'INVALID_ARGUMENT',
      'The input token count (9) exceeds the maximum number of tokens allowed (8).',
    ),
    'context_overflow',
  ],
  [said(401, 'UNAUTHENTICATED', 'Who are you?'), 'auth'],
  [said(403, 'PERMISSION_DENIED', 'Not for you.'), 'auth'],
  [said(404, 'NOT_FOUND', 'models/asked is not found'), 'not_found'],
  [said(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'), 'rate_limited'],
  [said(500, 'INTERNAL', 'An internal error has occurred.'), 'overloaded'],
  [said(503, 'UNAVAILABLE', 'The model is overloaded.'), 'overloaded'],
  [said(504, 'DEADLINE_EXCEEDED', 'Too slow.'), 'overloaded'],
]

describe('an error', () => {
  it.each(errors)('%j is %s, alone or in a list', async (body, code) => {
    const { code: status, message } = body.error
    for (const bytes of [body, [body]].map((answer) => JSON.stringify(answer)))
      expect(await failure(gemini({ status, bytes }, { apiKey: 'k-1' }))).toMatchObject({
        name: 'PipeError',
        code,
        message: expect.stringContaining(`(${status}): ${message}`),
        details: { status: String(status) },
      })
  })

  it.each(errors)('%j is also %s inside a stream', async (body, code) => {
    const { reply, error } = await pull(gemini({ bytes: partEvent({ text: 'Half' }) + event(body) }))
    expect(error).toMatchObject({ name: 'PipeError', code, details: { status: String(body.error.code) } })
    expect(reply).toMatchObject({ content: [text('Half')], stopReason: 'error' })
  })

  it.each(errors)('%j is also %s right after a stream', async (body, code) => {
    const bytes = `${partEvent({ text: 'Half' })}${JSON.stringify(body, undefined, 2)}\n`
    const { reply, error } = await pull(gemini({ bytes }))
    expect(error).toMatchObject({ name: 'PipeError', code, details: { status: String(body.error.code) } })
    expect(reply).toMatchObject({ content: [text('Half')], stopReason: 'error' })
  })

  it.each(errors)('%j is %s by its word alone', async ({ error: { status, message, ...rest } }, code) => {
    const { code: _, ...wordy } = { ...rest, status, message }
    expect(await failure(gemini({ bytes: event({ error: wordy }) }))).toMatchObject({ code })
  })

  it('is reported from a list with status 200', async () => {
    const bytes = JSON.stringify([{ candidates: [] }, said(503, 'UNAVAILABLE', 'The model is overloaded.')])
    expect(await failure(gemini({ bytes }))).toMatchObject({ code: 'overloaded' })
  })

  it('states the wait unless a header does', async () => {
    const bytes = JSON.stringify(
      said(429, 'RESOURCE_EXHAUSTED', 'Wait.', quota('PerMinute'), retry('34.07s')),
    )
    expect(await failure(gemini({ status: 429, bytes }))).toHaveProperty('details', {
      status: '429',
      retry_after_ms: '34070',
    })
    expect(await failure(gemini({ status: 429, bytes, headers: { 'retry-after': '3' } }))).toHaveProperty(
      'details',
      { status: '429', retry_after_ms: '3000' },
    )
  })

  it.each([
    ['a day is over', 'Quota exceeded.', quota('GenerateRequestsPerDayPerProjectPerModel-FreeTier')],
    [
      'there is any quota',
      'Quota exceeded for metric: free_tier_requests, limit: 0, model: asked',
      quota(''),
    ],
    ['it is paid', 'Your prepayment credits are depleted.', quota('')],
  ])('of a quota is not retried before %s', async (_, message, detail) => {
    const bytes = JSON.stringify(said(429, 'RESOURCE_EXHAUSTED', message, detail, retry('34s')))
    expect(await failure(gemini({ status: 429, bytes }))).toMatchObject({
      code: 'rate_limited',
      details: { should_retry: 'false' },
    })
  })
})

it.each(['{"ok":true}', '[1]'])('reports a body of other JSON: %s', async (bytes) => {
  const url = 'https://api.example.com/v1beta/models/asked:streamGenerateContent'
  expect(await failure(gemini({ bytes }))).toMatchObject({
    code: 'protocol',
    message: expect.stringContaining(`gemini answered ${url} with JSON (${bytes})`),
  })
})

it('accepts a reply whose connection breaks after the stop reason', async () => {
  const bytes = partEvent({ text: 'Whole' }, { finishReason: 'STOP' })
  const reset = new PipeError('network', 'reset')
  expect(await ask(gemini({ bytes, failure: reset }))).toMatchObject({
    content: [text('Whole')],
    stopReason: 'end_turn',
  })
})
