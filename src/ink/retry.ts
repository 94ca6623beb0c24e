import type { AgentFact } from '../event.ts'
import { formatElapsed } from '../frontend/words/duration.ts'
import { maxTries } from '../reply/backoff.ts'
import { keyHint } from './keys/bindings.ts'
import { columnsOf } from './rows/columns.ts'
import { cut, type Line, line, lineText } from './rows/line.ts'
import type { Screen } from './state.ts'
import { endCalls } from './transcript/shown-calls.ts'
import { note } from './turn-state.ts'

/** Shows that the request is sent again. Says to ignore the reply so far if rows of it are in the transcript. */
export function beginRetry(screen: Screen, event: Extract<AgentFact, { type: 'retry' }>): Screen {
  const { reason, attempt, waitMs, discarded } = event
  const at = screen.now + waitMs
  const voided = isPrinted(screen, discarded)
    ? note(screen, 'info', `${reason}; the answer starts over, so ignore what it said so far`)
    : screen
  return {
    ...endCalls({ ...voided, draft: undefined }, () => undefined),
    heardAt: at,
    retry: { reason, failed: attempt, at },
  }
}

/** Notes how many tries an answer took, if more than one. */
export function endRetry(screen: Screen): Screen {
  const { retry } = screen
  if (retry === undefined) return screen
  return note({ ...screen, retry: undefined }, 'info', `answered after ${retry.failed + 1} attempts`)
}

/** Whether the transcript has any of these blocks: all but those of the live draft. */
export function isPrinted({ draft }: Screen, blocks: readonly string[]): boolean {
  return blocks.some((id) => id !== draft?.id) || (draft?.type === 'text' && draft.started)
}

/** Draws the failed request as one row with a countdown; no row once the next try is answered. */
export function drawRetry({ retry, draft, calls, now, bindings, size: { columns } }: Screen): Line[] {
  if (retry === undefined || draft !== undefined || calls.length > 0) return []
  const left = Math.ceil(Math.max(0, retry.at - now) / 1_000)
  const when = left === 0 ? 'trying again' : `trying again in ${formatElapsed(left * 1_000)}`
  const attempt = `attempt ${retry.failed + 1} of ${maxTries}`
  const hint = keyHint(bindings, 'interrupt', 'stops')
  const ends = [`${when}, ${attempt}${hint && ` · ${hint}`}`, `${when}, ${attempt}`, when]
  const style = { color: 'warning' } as const
  const whole = ends.find((end) => columnsOf(`${retry.reason}; ${end}`) <= columns)
  if (whole !== undefined) return [line(`${retry.reason}; ${whole}`, style)]
  const [end = when] = ends.filter((one) => columnsOf(one) + leastReason <= columns)
  const reason = lineText(cut(line(retry.reason), columns - columnsOf(end) - 2))
  const text = columns < leastReason + columnsOf(end) ? end : `${reason}; ${end}`
  return [cut(line(text, style), columns)]
}

/** Columns that are left for the reason of a failure, below which it is not shown. */
const leastReason = 14
