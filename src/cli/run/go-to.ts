import type { Arrival, GoToOptions } from '../../conversation.ts'
import { hasCode, isPipeError, PipeError } from '../../error.ts'
import type { TreeMessage } from '../../frontend/conversation-view.ts'
import { branchOf, branchUpTo, headOf } from '../../history/branch.ts'
import type { MessageId, SessionId } from '../../id.ts'
import { type Message, spokenText } from '../../message.ts'
import type { Session } from '../../session.ts'
import type { Machine } from '../machine.ts'
import { openSessions } from '../wiring/session-records.ts'
import type { Wired } from '../wiring/wired.ts'
import { messageTreeOf, turnsSince } from './message-tree.ts'

/** The conversation that goes to another place. */
interface Travel {
  readonly machine: Machine
  readonly wired: Pick<Wired, 'conversation' | 'sessionId' | 'fileTurns'>
  readonly signal: AbortSignal
}

/** Lists the messages of all branches as a tree. */
export async function listMessageTree(going: Travel): Promise<readonly TreeMessage[]> {
  return messageTreeOf(await wholeSession(going), await going.wired.fileTurns.list(going.signal))
}

/** Goes to a message, as `FrontendApi.goTo` promises. The conversation goes there even if its files cannot be restored. */
export async function goTo(
  message: MessageId,
  { what, isSummarised = false, ...going }: GoToOptions & Travel,
): Promise<Arrival> {
  const { wired, signal } = going
  const { conversation, fileTurns } = wired
  const session = await wholeSession(going)
  const branch = branchUpTo(session, message)
  const place = session.messages.find(({ id }) => id === message)
  const turns = place === undefined ? 0 : turnsSince(place, session, await fileTurns.list(signal))
  if (what === 'files') return { report: (await restore(turns, going, { tellsModel: true })).report }
  const kept = new Set(branch)
  const left = isSummarised ? branchOf(session).filter((one) => !kept.has(one)) : []
  await conversation.goTo(branch, { left, signal })
  const restored =
    what === 'both' && turns > 0
      ? await restore(turns, going, { tellsModel: false }).catch(explainFailure)
      : undefined
  if (turns > 0 && restored?.isWhole !== true) fileTurns.leaveNote(filesStayed)
  const text = place?.type === 'user' ? spokenText(place) : undefined
  return { report: restored?.report, text }
}

const filesStayed =
  'The user went back to this point of the conversation. Files may be as later turns left them: read them again before you rely on them.'

/** The outcome for the files, and whether all of them were restored. */
interface Restored {
  readonly report: string
  readonly isWhole: boolean
}

/** Undoes the file changes of the last turns. Throws if it can undo none of them. */
async function restore(
  turns: number,
  { wired, signal }: Travel,
  { tellsModel }: { readonly tellsModel: boolean },
): Promise<Restored> {
  if (turns === 0) throw new PipeError('input', 'no turn since then changed files that can be restored')
  const reports: string[] = []
  try {
    while (reports.length < turns)
      reports.push(await wired.fileTurns.turnBack({ redo: false, force: false, tellsModel, signal }))
  } catch (error) {
    if (reports.length === 0) throw error
    return { report: [...reports, explainFailure(error).report].join('\n'), isWhole: false }
  }
  return { report: reports.join('\n'), isWhole: true }
}

function explainFailure(error: unknown): Restored {
  if (!isPipeError(error)) throw error
  return { report: `not all files could be restored: ${error.message}`, isWhole: false }
}

/** Returns the messages of all branches. Those of this run are as they were sent, which may differ from the file. */
async function wholeSession({ machine, wired, signal }: Travel): Promise<Pick<Session, 'messages' | 'head'>> {
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
    if (hasCode(error, 'not_found')) return []
    throw error
  }
}
