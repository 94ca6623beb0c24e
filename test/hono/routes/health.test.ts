import { describe, expect, it } from 'vitest'
import { PipeError } from '../../../src/error.ts'
import { serveParts } from '../../support/live/served.ts'

describe('health', () => {
  it.each([
    ['/health', 'healthy'],
    ['/health/ready', 'ready'],
    ['/health/live', 'alive'],
  ])('%s answers %s without a token', async (path, status) => {
    const { call } = await serveParts()
    const { json, ...answer } = await call('GET', path, undefined, { headers: { authorization: '' } })
    expect(answer.status).toBe(200)
    expect(json).toEqual({ status, timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) })
  })

  it('is unhealthy with 503 when no turn could run, and still alive', async () => {
    const { call } = await serveParts({
      requireReady: async () => {
        throw new PipeError('storage', 'the disk is full: /secret/place')
      },
    })
    for (const path of ['/health', '/health/ready']) {
      const { status, json, text } = await call('GET', path)
      expect([status, json]).toEqual([503, { status: 'unhealthy', timestamp: expect.any(String) }])
      expect(text).not.toContain('secret')
    }
    expect((await call('GET', '/health/live')).status).toBe(200)
  })
})
