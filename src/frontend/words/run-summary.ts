import { textField } from '../../json-value.ts'
import type { Message } from '../../message.ts'
import { counted, formatCost } from './amount.ts'
import { formatElapsed } from './duration.ts'

/** The open conversation at the start or at the end of a run. */
export interface RunMoment {
  /** Monotonic time in ms. */
  readonly at: number
  readonly sessionId: string | undefined
  readonly messages: readonly Message[]
  /** The messages of turns that were undone. Default: none. */
  readonly undone?: ReadonlySet<Message>
  /** US dollars, counting known prices only. */
  readonly costUsd: number | undefined
}

/** Says what a run came to: its time, the files that edits changed, and the cost. `4 m 05 s · 2 files changed · $0.06` */
export function describeRun(begun: RunMoment, ended: RunMoment): string {
  const isSame = begun.sessionId === ended.sessionId
  const known = new Set(isSame ? begun.messages.map(({ id }) => id) : [])
  const { messages, undone } = ended
  const kept = messages.filter((message) => !known.has(message.id) && undone?.has(message) !== true)
  const files = new Set(kept.flatMap(changedPath))
  const cost = (ended.costUsd ?? 0) - (isSame ? (begun.costUsd ?? 0) : 0)
  return [
    formatElapsed(ended.at - begun.at),
    ...(files.size > 0 ? [`${counted(files.size, 'file')} changed`] : []),
    ...(cost > 0 ? [formatCost(cost)] : []),
  ].join(' · ')
}

/** Names the file that a call wrote, by the revision in its details. */
function changedPath(message: Message): readonly string[] {
  if (message.type !== 'tool_result' || message.isError) return []
  const path = textField(message.details, 'path')
  return path === undefined || textField(message.details, 'after') === undefined ? [] : [path]
}
