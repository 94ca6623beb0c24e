import { describe, expect, it } from 'vitest'
import { PipeError } from '../../src/error.ts'
import { errorResponse, refusalOf } from '../../src/hono/refusal.ts'

/** The status of an error for a client, and when it may ask again. */
function told(error: PipeError) {
  const { status, headers } = errorResponse(refusalOf(error))
  return [status, headers.get('retry-after')]
}

describe('an answer to a client that asks too often', () => {
  it('says when to ask again: as the server of the model does, or after a usual time', () => {
    expect(told(new PipeError('rate_limited', 'slow down', { details: { retry_after_ms: '1500' } }))).toEqual(
      [429, '2'],
    )
    expect(told(new PipeError('rate_limited', 'slow down'))).toEqual([429, '10'])
    expect(told(new PipeError('overloaded', 'full', { details: { retry_after_ms: '30000' } }))).toEqual([
      503,
      '30',
    ])
    expect(told(new PipeError('overloaded', 'full'))).toEqual([503, null])
    expect(told(new PipeError('input', 'empty'))).toEqual([400, null])
  })
})
