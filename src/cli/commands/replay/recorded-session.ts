import { PipeError } from '../../../error.ts'
import { branchOf } from '../../../history/branch.ts'
import { inCallOrder } from '../../../history/call-order.ts'
import { isLoopMessage, type Message } from '../../../message.ts'
import { type RecordedTurn, turnsOf, turnsUntil } from '../../../replay/recorded-turns.ts'
import type { Session } from '../../../session.ts'
import type { RunContext } from '../../run-context.ts'
import { manifestOf } from '../../wiring/session/manifest.ts'
import { loadNamed } from '../sessions/stored-session.ts'

/** A session with the turns to replay. */
export interface Recording {
  readonly session: Session
  readonly turns: readonly RecordedTurn[]
  readonly isOffline: boolean
}

/** Loads a session, and its turns up to `--until`. Throws `usage`, and `input` if there is nothing to replay. */
export async function loadRecording(id: string, context: RunContext): Promise<Recording> {
  const { flags } = context
  const until = flags.number('until', (n) => Number.isInteger(n) && n > 0, 'a whole number above 0')
  const session = await loadNamed(id, context)
  const all = splitTurns(branchOf(session))
  const turns = until === undefined ? all : turnsUntil(all, until)
  if (turns.length === 0) throw new PipeError('input', `session ${session.id} has no message to send again`)
  return { session, turns, isOffline: flags.has('offline') }
}

/** Splits the messages of one branch into turns. Leaves out what only marks the history. */
export function splitTurns(messages: readonly Message[]): readonly RecordedTurn[] {
  const said = inCallOrder(messages).filter((message) => !isLoopMessage(message))
  return turnsOf(said, (message) => manifestOf(message) !== undefined)
}

/** Returns the `provider/model` that a turn was sent to. */
export function recordedModel(session: Session, turn: RecordedTurn | undefined): string | undefined {
  const named = turn && manifestOf(turn.message)?.['model']
  if (typeof named === 'string') return named
  if (session.model !== undefined) return session.model
  const speaker = turn?.replies[0]
  return speaker?.provider === undefined ? undefined : `${speaker.provider}/${speaker.model ?? ''}`
}
