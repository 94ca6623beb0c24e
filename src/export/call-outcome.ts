import { diffSize } from '../frontend/diff/diff-rows.ts'
import { formatLines } from '../frontend/words/amount.ts'
import { outputText } from '../message.ts'
import type { CallPart } from './document-parts.ts'

const marks: Readonly<Record<CallPart['outcome'], string>> = { done: '✓', failed: '✗', unanswered: '…' }

/** Returns the character that marks the outcome of a call. */
export function callMark({ outcome }: CallPart): string {
  return marks[outcome]
}

/** Tells the outcome of a call in a few words: `12 lines`, `+3 -1`, `failed, 2 lines`. Empty if it gave nothing. */
export function callSize({ outcome, output, diff }: CallPart): string {
  if (outcome === 'unanswered') return 'no result'
  const size =
    diff !== undefined && outcome === 'done'
      ? diffSize([diff])
      : outputText(output) === ''
        ? ''
        : formatLines(output.split('\n').length)
  return [outcome === 'failed' ? 'failed' : '', size].filter((fact) => fact !== '').join(', ')
}
