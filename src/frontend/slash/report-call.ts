import type { LocalConversation } from '../../conversation.ts'
import { contextReport } from '../reports/context-report.ts'
import { costReport, spentByModel } from '../reports/cost-report.ts'

/** A call of `/context` or `/cost`, which pipe answers without the model. */
export interface ReportCall {
  readonly type: 'report'
  of(conversation: LocalConversation): string
}

/** Columns of a report that no screen shows. */
const columns = 80

const calls: ReadonlyMap<string, ReportCall['of']> = new Map([
  ['/context', (conversation) => contextReport(conversation.contextUse(), columns)],
  ['/cost', (own) => costReport({ models: spentByModel(own.messages), elves: [], own })],
])

/** Reads a prompt that calls a report, where no screen reads commands. Returns `undefined` for any other text. */
export function readReportCall(prompt: string): ReportCall | undefined {
  const of = calls.get(prompt.trim())
  return of && { type: 'report', of }
}
