import { unreachable } from '../../error.ts'
import type { AgentEvent, AgentFact } from '../../event.ts'
import { formatCount } from '../../frontend/words/amount.ts'
import { attachmentNote, lossesOf } from '../../frontend/words/message-note.ts'
import { rulesNote } from '../../frontend/words/rules-note.ts'
import { savingNote } from '../../frontend/words/saving-note.ts'
import { contextTokensOf } from '../../history/context-use.ts'
import {
  isCalledText,
  isElfReport,
  isHookMessage,
  type Message,
  spokenText,
  textContent,
  type UserMessage,
} from '../../message.ts'
import { addUsage } from '../../usage.ts'
import { addDelta, flush } from '../markdown/draft.ts'
import { openQuestion } from '../question/asked-question.ts'
import { statedReasons } from '../question/stated-reason.ts'
import { beginRetry, endRetry, isPrinted } from '../retry.ts'
import { addElf, beginElf } from '../shown-elf.ts'
import type { Screen } from '../state.ts'
import { goOn, type OpenCall, waitForAnswer } from '../transcript/call.ts'
import { callLook } from '../transcript/call-look.ts'
import { endCalls, endCallWith } from '../transcript/shown-calls.ts'
import { outcomeOfTurn } from '../transcript/turn-end.ts'
import { beginFacts } from '../transcript/turn-facts.ts'
import { endTurn, note } from '../turn-state.ts'
import { keepAnswer } from '../view/recent.ts'
import { endOfElf } from './reduce-elves.ts'

/** Characters of a running command's output that are kept for its live tail. */
const outputTail = 4_000

function startTurn(screen: Screen, message: UserMessage | undefined): Screen {
  const begun = { ...screen, turn: beginFacts(screen.now, screen.status.costUsd ?? 0) }
  return message === undefined ? begun : say(dequeue(begun, message), message)
}

/** Returns the screen after an agent event. Pure. */
export function reduceAgent(screen: Screen, event: AgentEvent): Screen {
  switch (event.type) {
    case 'turn_start':
      return startTurn({ ...screen, busySince: screen.busySince ?? screen.now }, event.message)
    case 'turn_end':
      return { ...endTurn(screen, outcomeOfTurn(event.stopReason)), endedAs: event.stopReason }
    case 'text_delta':
      return addDelta(screen, 'text', event.id, event.delta)
    case 'thinking_delta':
      return addDelta(screen, 'thinking', event.id, event.delta)
    case 'tool_call_begin':
      return openCall(flush(screen), {
        id: event.id,
        name: event.name,
        look: callLook(screen, event.name),
        arguments: null,
        output: '',
      })
    case 'tool_call_end':
      return changeCall(screen, event.call.id, { arguments: event.call.arguments })
    case 'tool_start':
      return startCall(screen, event)
    case 'tool_output':
      return changeCall(screen, event.callId, (call) => ({
        output: (call.output + event.chunk).slice(-outputTail),
      }))
    case 'tool_end':
      return endCall(screen, event)
    case 'message':
      return event.message.type === 'user'
        ? say(dequeue(screen, event.message), event.message)
        : {
            ...measure(endReply(flush(screen), event.message), event.message),
            ...(event.message.type === 'assistant' && { reasons: statedReasons(event.message) }),
          }
    case 'interaction_requested':
      return {
        ...screen,
        questions: [
          ...screen.questions,
          openQuestion(event.interaction, undefined, reasonOf(screen, event.callId)),
        ],
        calls: waitForAnswer(screen.calls, event.interaction.id, screen.now),
      }
    case 'interaction_responded':
      return {
        ...screen,
        questions: screen.questions.filter(
          ({ interaction }) => interaction.id !== event.response.interactionId,
        ),
        calls: goOn(screen.calls, event.response.interactionId, screen.now),
      }
    case 'round_start':
      return explainRoute(screen, event)
    case 'round_end':
      return count(flush(screen), event)
    case 'retry':
      if (event.attempt === 0) return strike(screen, event.reason, event.discarded)
      return beginRetry(screen, event)
    case 'fallback':
      return strike(screen, `${event.reason}; ${event.to} continues for ${event.from}`, event.discarded)
    case 'compaction':
      return summarise(screen, event)
    case 'compaction_failed':
      return note(screen, 'error', event.reason)
    case 'notice':
      return note(screen, 'info', event.text)
    case 'unsaved':
      return note(screen, 'error', savingNote(event))
    case 'saved':
      return note(screen, 'info', savingNote(event))
    case 'rules_saved':
      return note(screen, 'info', rulesNote(event))
    case 'checkpoint':
      return event.notes.reduce((noted, text) => note(noted, 'info', text), leaveOut(screen, event))
    case 'elf_start':
      return { ...screen, elves: addElf(screen.elves, beginElf(event, screen.now)) }
    case 'elf_end':
      return endOfElf(screen, event)
    case 'tool_call_delta':
    case 'state':
      return screen
    default:
      return unreachable(event)
  }
}

/** Remembers for the last row of the turn what an undo will leave out. */
function leaveOut(screen: Screen, { unsaved }: Extract<AgentFact, { type: 'checkpoint' }>): Screen {
  const { turn } = screen
  return turn === undefined || unsaved === undefined ? screen : { ...screen, turn: { ...turn, unsaved } }
}

function say(screen: Screen, message: UserMessage): Screen {
  const flushed = flush(screen)
  // The elf has its own entry, and so have the commands of a skill.
  if (isElfReport(message) || isCalledText(message)) return flushed
  if (isHookMessage(message)) return note(flushed, 'info', spokenText(message))
  const said: Screen = {
    ...flushed,
    finished: [...flushed.finished, { type: 'user', text: spokenText(message) }],
  }
  const attached = attachmentNote(message.metadata)
  const notes = [...(attached === undefined ? [] : [attached]), ...lossesOf(message.metadata)]
  return notes.reduce((noted, text) => note(noted, 'info', text, true), said)
}

/** Tells of the failed tries once the reply is whole. */
function endReply(screen: Screen, message: Message): Screen {
  const isFailed =
    message.type === 'assistant' && (message.stopReason === 'error' || message.stopReason === 'aborted')
  return isFailed || message.type !== 'assistant' ? screen : endRetry(screen)
}

function dequeue(screen: Screen, { id }: UserMessage): Screen {
  return { ...screen, queued: screen.queued.filter((one) => one.id !== id) }
}

function openCall(screen: Screen, call: OpenCall): Screen {
  return { ...screen, calls: [...screen.calls, call] }
}

function changeCall(
  screen: Screen,
  id: string,
  change: Partial<OpenCall> | ((call: OpenCall) => Partial<OpenCall>),
): Screen {
  const calls = screen.calls.map((call) =>
    call.id === id ? { ...call, ...(typeof change === 'function' ? change(call) : change) } : call,
  )
  return { ...screen, calls }
}

function startCall(screen: Screen, event: Extract<AgentFact, { type: 'tool_start' }>): Screen {
  const { callId: id, name } = event
  const look = callLook(screen, name)
  const call: OpenCall = { id, name, look, arguments: event.arguments, startedAt: screen.now, output: '' }
  return screen.calls.some((one) => one.id === id) ? changeCall(screen, id, call) : openCall(screen, call)
}

function endCall(screen: Screen, event: Extract<AgentFact, { type: 'tool_end' }>): Screen {
  const call = screen.calls.find(({ id }) => id === event.callId)
  if (call === undefined) return screen
  const { name, look } = call
  const { isError, details, durationMs } = event
  const elf = screen.elves.find(({ start }) => start.callId === call.id && start.isBackground !== true)
  const ended = {
    name,
    look,
    arguments: call.arguments,
    isError,
    text: textContent(event),
    details,
    elfCalls: elf?.calls,
    // Of an elf, without the time that it waited for a place.
    durationMs: elf?.durationMs ?? durationMs,
  }
  return endCallWith(screen, call.id, ended)
}

/** Notes once why a model other than the configured one answers. */
function explainRoute(screen: Screen, event: Extract<AgentFact, { type: 'round_start' }>): Screen {
  const { provider, model, reason } = event
  if (reason === screen.routeReason) return screen
  const now = { ...screen, routeReason: reason }
  return reason === undefined ? now : note(now, 'info', `${provider}/${model} answers: ${reason}`)
}

/** Takes the text and the size of the context from a reply: the usage of a round also counts failed attempts and summaries. */
function measure(screen: Screen, message: Message): Screen {
  const contextTokens = contextTokensOf([message]) ?? screen.status.contextTokens
  const recent =
    message.type === 'assistant' ? keepAnswer(screen.recent, textContent(message)) : screen.recent
  return { ...screen, recent, status: { ...screen.status, contextTokens } }
}

/** Adds up the usage of a round, and drops calls that the model wrote but that never ran. */
function count(screen: Screen, { usage, costUsd }: Extract<AgentFact, { type: 'round_end' }>): Screen {
  const { status } = screen
  return {
    ...endCalls(screen, () => undefined),
    status: {
      ...status,
      usage: addUsage(status.usage, usage),
      costUsd: costUsd === undefined ? status.costUsd : (status.costUsd ?? 0) + costUsd,
    },
  }
}

/** Discards the reply so far: removes the live part and adds a note to ignore the part in the transcript. */
function strike(screen: Screen, words: string, discarded: readonly string[]): Screen {
  const lost = isPrinted(screen, discarded) ? '; ignore the answer so far' : ''
  const ended = endCalls({ ...screen, draft: undefined, retry: undefined }, () => undefined)
  return note(ended, 'info', words + lost)
}

function summarise(screen: Screen, event: Extract<AgentFact, { type: 'compaction' }>): Screen {
  const [before, after] = [event.tokensBefore, event.tokensAfter].map(formatCount)
  const status = { ...screen.status, contextTokens: event.tokensAfter }
  return note({ ...screen, status }, 'info', `context summarised: ${before} → ${after} tokens`)
}

/** The model's words before the call that asks. An elf asks about calls of its own. */
function reasonOf({ reasons, elves }: Screen, callId = ''): string | undefined {
  return elves.some(({ start }) => start.callId === callId) ? undefined : reasons.get(callId)
}
