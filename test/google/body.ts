import { expect } from 'vitest'
import { type GeminiBody, geminiBody } from '../../src/google/request.ts'
import type { Request } from '../../src/provider.ts'
import { leastRequest } from '../support/models/asking.ts'
import { checkGeminiBody } from '../support/vendors/gemini-rules.ts'

export const model = 'gemini-2.5-flash'

/** Builds the body of a request and checks it by the rules of the real server. */
export function body(request: Partial<Request>): GeminiBody {
  const whole = { ...leastRequest, model, ...request }
  const body = geminiBody(whole, 'gemini')
  expect(checkGeminiBody(JSON.parse(JSON.stringify(body)), whole.model)).not.toHaveProperty('violation')
  return body
}

/** Returns the user's contents as sent. */
export function said(...parts: readonly object[]) {
  return { role: 'user', parts }
}
