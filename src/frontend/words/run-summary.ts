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
  /** The user's messages whose turns were undone. Default: none. */
  readonly undone?: ReadonlySet<string>
  /** US dollars, counting known prices only. */
  readonly costUsd: number | undefined
}

/** Says what a run came to: its time, the files that edits changed, and the cost. `4 m 05 s · 2 files changed · $0.06` */
export function describeRun(begun: RunMoment, ended: RunMoment): string {
  const isSame = begun.sessionId === ended.sessionId
  const known = new Set(isSame ? begun.messages.map(({ id }) => id) : [])
  const files = new Set(
    keptMessages(ended)
      .filter(({ id }) => !known.has(id))
      .flatMap(changedPath),
  )
  const cost = (ended.costUsd ?? 0) - (isSame ? (begun.costUsd ?? 0) : 0)
  return [
    formatElapsed(ended.at - begun.at),
    ...(files.size > 0 ? [`${counted(files.size, 'file')} changed`] : []),
    ...(cost > 0 ? [formatCost(cost)] : []),
  ].join(' · ')
}

/** Leaves out the turns that were undone. */
function keptMessages({ messages, undone }: RunMoment): readonly Message[] {
  let isUndone = false
  return messages.filter(({ type, id }) => {
    if (type === 'user') isUndone = undone?.has(id) === true
    return !isUndone
  })
}

/** Names the file that a call wrote, by the revision in its details. */
function changedPath(message: Message): readonly string[] {
  if (message.type !== 'tool_result' || message.isError) return []
  const path = textField(message.details, 'path')
  return path === undefined || textField(message.details, 'after') === undefined ? [] : [path]
}
