import { expect, it } from 'vitest'
import { readReportCall } from '../../../src/frontend/slash/report-call.ts'

it.each(['/cost', '/context', ' /cost\n'])('%j calls a report', (prompt) => {
  expect(readReportCall(prompt)?.type).toBe('report')
})

it.each(['/costs', '/cost of this', 'the /cost', '/toString', ''])('%j calls none', (prompt) => {
  expect(readReportCall(prompt)).toBeUndefined()
})
