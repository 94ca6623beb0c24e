import { linkAbort } from '../../agent/linked-abort.ts'
import type { Turn } from '../../engine.ts'
import { PipeError } from '../../error.ts'
import type { Hub } from '../live/hub.ts'
import type { LiveSession } from '../live/live-session.ts'
import { type AgentQuestion, composeQuestion } from './agent-question.ts'
import type { AnswerEnd, AnsweringOptions, AnswerPart, ServedAnswer } from './answer.ts'
import { TurnEventReader } from './turn-event-reader.ts'
import { TurnReader } from './turn-reader.ts'
import { answerUnwatched } from './unwatched-chat.ts'

/** Lets the agent answer in a session of its own, which others can watch meanwhile. Throws what opening a conversation throws. */
export async function askAgent(
  question: AgentQuestion,
  hub: Hub,
  options: AnsweringOptions,
): Promise<ServedAnswer> {
  const live = await hub.borrow(question.open)
  const { model } = live.conversation.settings
  return { model, sessionId: live.id, parts: turnParts(question, { live, hub }, options) }
}

async function* turnParts(
  question: AgentQuestion,
  { live, hub }: { readonly live: LiveSession; readonly hub: Hub },
  { signal, isStreamed }: AnsweringOptions,
): AsyncGenerator<AnswerPart, void, undefined> {
  const { controller, unlink } = linkAbort(signal)
  const { conversation } = live
  const events = new TurnEventReader()
  let ended: Promise<Ended> | undefined
  let closing: Promise<void> | undefined
  try {
    const message = await composeQuestion(conversation, question, controller.signal)
    const running = conversation.run(message, {
      signal: controller.signal,
      onEvent: (event) => events.add(event),
      onQuestion: answerUnwatched({ isWatched: () => live.isWatched, onAsk: question.onAsk }),
    })
    ended = settled(running.finally(() => events.end()))
    const reader = new TurnReader({ tellsEvents: question.tellsEvents, isStreamed })
    for (let batch = await events.take(); batch.length > 0; batch = await events.take())
      yield* reader.read(batch)
    const turn = requireTurn(await ended)
    // Before the end is told, so that a message that follows it finds no session which is about to be closed.
    closing = hub.discard(live)
    closing.catch(() => undefined)
    yield* reader.end()
    yield { type: 'end', end: endOf(turn) }
  } finally {
    controller.abort()
    unlink()
    events.end()
    await ended
    await (closing ?? hub.discard(live))
  }
}

type Ended = { readonly turn: Turn } | { readonly error: unknown }

/** Never rejects: nobody may be waiting yet. */
function settled(running: Promise<Turn>): Promise<Ended> {
  return running.then(
    (turn) => ({ turn }),
    (error: unknown) => ({ error }),
  )
}

function requireTurn(ended: Ended): Turn {
  if ('error' in ended) throw ended.error
  const { error, stopReason } = ended.turn
  if (error !== undefined) throw error
  if (stopReason === 'aborted') throw new PipeError('aborted', 'the turn was interrupted')
  if (stopReason === 'error')
    throw new PipeError('protocol', 'the model reported an error and gave no reason')
  return ended.turn
}

/** The last reply without its calls, which are the agent's own: a client would try to carry them out. */
function endOf({ stopReason, usage, messages }: Turn): AnswerEnd {
  const last = messages.findLast((message) => message.type === 'assistant')
  const message = last && { ...last, content: last.content.filter(({ type }) => type !== 'tool_call') }
  return { stopReason: stopReason === 'tool_use' ? 'end_turn' : stopReason, usage, message }
}
