import { branchOf, branchUpTo, headOf } from '../../branch.ts'
import type { Arrival, GoingOptions, Place } from '../../conversation-view.ts'
import { isPipeError, PipeError } from '../../error.ts'
import type { MessageId, SessionId } from '../../id.ts'
import { type Message, spokenText } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Session } from '../../session.ts'
import type { Machine } from '../machine.ts'
import { openSessions } from '../wiring/records.ts'
import type { Wired } from '../wiring/wiring.ts'
import { placesOf, turnsSince } from './places.ts'

/** The conversation that goes to another place. */
interface Going {
  readonly machine: Machine
  readonly wired: Pick<Wired, 'conversation' | 'sessionId' | 'fileTurns'>
  readonly signal: AbortSignal
}

/** Lists the messages of all branches as a tree. */
export async function listPlaces(going: Going): Promise<readonly Place[]> {
  return placesOf(await wholeSession(going), await going.wired.fileTurns.list(going.signal))
}

/** Goes to a message, as `Abilities.goTo` promises. Files that cannot be restored keep no conversation from going. */
export async function goTo(
  message: MessageId,
  { what, isSummarised = false, ...going }: GoingOptions & Going,
): Promise<Omit<Arrival, 'view'>> {
  const { wired, signal } = going
  const { conversation, fileTurns } = wired
  const session = await wholeSession(going)
  const branch = branchUpTo(session, message)
  const place = session.messages.find(({ id }) => id === message)
  const turns = place === undefined ? 0 : turnsSince(place, session, await fileTurns.list(signal))
  if (what === 'files') return { report: await restore(turns, going) }
  const kept = new Set(branch)
  const left = isSummarised ? branchOf(session).filter((one) => !kept.has(one)) : []
  await conversation.goTo(branch, { left, signal })
  if (what === 'conversation' && turns > 0) fileTurns.leaveNote(filesStayed)
  const report = what === 'both' ? await restore(turns, going).catch(explainFailure) : undefined
  return omitUndefined({ report, text: place?.type === 'user' ? spokenText(place) : undefined })
}

const filesStayed =
  'The user went back to this point of the conversation. The files stayed as later turns left them: read them again before you rely on them.'

/** Undoes the file changes of the last turns; returns a report. */
async function restore(turns: number, { wired, signal }: Going): Promise<string> {
  if (turns === 0) throw new PipeError('input', 'no turn since then changed files that can be restored')
  const reports: string[] = []
  for (let i = 0; i < turns; i++)
    reports.push(await wired.fileTurns.turnBack({ redo: false, force: false, signal }))
  return reports.join('\n')
}

function explainFailure(error: unknown): string {
  if (!isPipeError(error)) throw error
  return `the files could not be restored: ${error.message}`
}

/** Returns the messages of all branches. Those of this run are as they were sent, which may differ from the file. */
async function wholeSession({ machine, wired, signal }: Going): Promise<Pick<Session, 'messages' | 'head'>> {
  const { sessionId, conversation } = wired
  const { history } = conversation.engine
  if (sessionId === undefined) return { messages: history, head: headOf(history) }
  const saved = await loadIfSaved(sessionId, machine, signal)
  const sent = new Map(history.map((message) => [message.id, message]))
  const messages = saved.map((message) => sent.get(message.id) ?? message)
  return { messages, head: headOf(history) }
}

/** Returns the messages of a session's file; none before its first message. */
async function loadIfSaved(
  id: SessionId,
  machine: Machine,
  signal: AbortSignal,
): Promise<readonly Message[]> {
  try {
    return (await openSessions(machine).load(id, { signal })).session.messages
  } catch (error) {
    if (isPipeError(error) && error.code === 'not_found') return []
    throw error
  }
}
