import type { Message } from '../message.ts'
import { isBranchSummary } from './branch-summary.ts'
import { isMark } from './history-mark.ts'

/** Whether the loop wrote a user message: a mark, or the summary of a branch that was left. */
export function isLoopMessage(message: Message): boolean {
  return isMark(message) || isBranchSummary(message)
}
