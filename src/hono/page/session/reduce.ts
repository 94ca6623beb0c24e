import { formatCount } from '../../../frontend/words/amount.ts'
import type { JsonObject } from '../../../json-value.ts'
import { list, object, objects, text } from '../../../wire/json-fields.ts'
import { readPageQuestion } from '../wire/page-question.ts'
import { number, objectIn } from '../wire/rows.ts'
import {
  endCall,
  interruptCall,
  noteEntry,
  openCall,
  pendingCalls,
  promptEntries,
  replyEntries,
} from './message-entries.ts'
import { beginElf, endElf, hasElf, reduceElf } from './page-elves.ts'
import type { OpenCall, PageEntry } from './page-entry.ts'
import { addReplyText, addThought, noReply } from './reply-segments.ts'
import { addEntry } from './sheet.ts'
import { emptyView, type QueuedText, type SessionView } from './view-state.ts'

/** Characters of a running call's output that are kept. */
const mostLive = 4_000

/** Folds a line of a session's events into its view. Pure. Lines of unknown types change nothing. */
export function reduceLine(view: SessionView, line: JsonObject): SessionView {
  const type = text(line['type'])
  if (type === 'snapshot') return readSnapshot(view, line)
  const agent = text(line['agent_id'])
  if (hasElf(view.elves, agent)) return { ...view, elves: reduceElf(view.elves, agent, line) }
  return reducers[type]?.(view, line) ?? view
}

/** Marks a question as answered here, so that its end is no news. */
export function answerHere(view: SessionView, id: string): SessionView {
  return { ...view, answered: [...view.answered, id] }
}

/** Takes that back: the answer did not arrive. */
export function forgetAnswer(view: SessionView, id: string): SessionView {
  return { ...view, answered: view.answered.filter((one) => one !== id) }
}

type Reducer = (view: SessionView, line: JsonObject) => SessionView

const reducers: Readonly<Record<string, Reducer>> = {
  queue: (view, line) => ({ ...view, queue: readQueue(line) }),
  turn_start: (view, line) => {
    const message = object(line['message'])
    const running = { ...view, isRunning: true }
    return message === undefined ? running : addMessage(running, message)
  },
  turn_end: (view, line) => {
    const ended = { ...interrupted(view), isRunning: false, reply: noReply }
    const cost = line['cost_usd']
    return typeof cost === 'number' ? { ...ended, costUsd: (view.costUsd ?? 0) + cost } : ended
  },
  failed: (view, line) => add(view, noteEntry(text(line['message']), 'error')),
  message: (view, line) => addMessage(view, objectIn(line, 'message')),
  text_delta: (view, line) => ({
    ...view,
    reply: addReplyText(view.reply, text(line['delta']), `text ${text(line['id'])}`),
  }),
  thinking_delta: (view, line) => ({
    ...view,
    reply: addThought(view.reply, text(line['delta']), `thinking ${text(line['id'])}`),
  }),
  tool_call_begin: (view, line) => open(view, openCall(text(line['id']), text(line['name']), undefined)),
  tool_call_end: (view, line) => {
    const call = objectIn(line, 'call')
    return open(view, openCall(text(call['id']), text(call['name']), call['arguments'] ?? null))
  },
  tool_start: (view, line) => open(view, running(line)),
  tool_output: (view, line) => {
    const id = text(line['call_id'])
    const grow = (call: OpenCall) => ({
      ...call,
      output: (call.output + text(line['chunk'])).slice(-mostLive),
    })
    return { ...view, calls: view.calls.map((call) => (call.id === id ? grow(call) : call)) }
  },
  tool_end: (view, line) => close(view, text(line['call_id']), line),
  interaction_requested: (view, line) => {
    const question = readPageQuestion(objectIn(line, 'interaction'), text(line['call_id']))
    const others = view.questions.filter(({ id }) => id !== question.id)
    return { ...view, questions: [...others, question] }
  },
  interaction_responded: (view, line) => settle(view, objectIn(line, 'response')),
  round_start: (view, line) =>
    line['reason'] === undefined
      ? view
      : add(
          view,
          noteEntry(`${text(line['provider'])}/${text(line['model'])} answers: ${text(line['reason'])}`),
        ),
  round_end: (view) => ({ ...view, reply: noReply, calls: view.calls.filter(isPending) }),
  retry: (view, line) =>
    discard(view, text(line['reason']) + (line['attempt'] === 0 ? '' : '; trying again')),
  fallback: (view, line) =>
    discard(view, `${text(line['from'])} → ${text(line['to'])}: ${text(line['reason'])}`),
  compaction: (view, line) => {
    const [before, after] = [line['tokens_before'], line['tokens_after']].map((count) =>
      formatCount(number(count)),
    )
    return add(view, noteEntry(`Context summarised: ${before} → ${after} tokens.`))
  },
  compaction_failed: (view, line) => add(view, noteEntry(text(line['reason']), 'error')),
  notice: (view, line) => add(view, noteEntry(text(line['text']))),
  unsaved: (view, line) => {
    const what = line['part'] === 'audit_log' ? 'The audit log is not saved' : 'Nothing more is saved'
    return add(view, noteEntry(`${what}: ${text(line['reason'])}`, 'error'))
  },
  saved: (view) => add(view, noteEntry('There is space again: everything is saved.')),
  rules_saved: (view, line) =>
    add(view, noteEntry(`Saved in ${text(line['file'])}: ${list(line['rules']).map(text).join(', ')}`)),
  checkpoint: (view, line) =>
    list(line['notes']).reduce<SessionView>((noted, words) => add(noted, noteEntry(text(words))), view),
  elf_start: (view, line) => ({ ...view, elves: beginElf(view.elves, line) }),
  elf_end: (view, line) => ({ ...view, elves: endElf(view.elves, line) }),
}

/** Shows the whole session anew. Elves are kept, and so is what was answered here. */
function readSnapshot({ elves, answered }: SessionView, line: JsonObject): SessionView {
  const isRunning = text(line['state']) !== 'idle' && line['state'] !== undefined
  const begun: SessionView = {
    ...emptyView,
    elves,
    answered,
    isLoaded: true,
    isRunning,
    queue: readQueue(line),
  }
  const calls = objects(line['calls'])
  const told = objects(line['messages']).reduce(addMessage, begun)
  const started = calls.reduce((view, call) => open(view, running(call)), told)
  const questions = objects(line['questions']).map((question) => {
    const asking = calls.find(({ asks }) => asks !== undefined && asks === question['id'])
    return readPageQuestion(question, text(asking?.['call_id']))
  })
  const whole = isRunning || questions.length > 0 ? started : interrupted(started)
  const cost = line['cost_usd']
  return {
    ...whole,
    questions,
    costUsd: typeof cost === 'number' ? cost : undefined,
    reply: objects(line['reply']).reduce(
      (reply, block, i) =>
        block['type'] === 'thinking'
          ? addThought(reply, text(block['thinking']), `snapshot ${i}`)
          : addReplyText(reply, text(block['text']), `snapshot ${i}`),
      noReply,
    ),
  }
}

function addMessage(view: SessionView, message: JsonObject): SessionView {
  switch (message['type']) {
    case 'user': {
      const id = message['id']
      const left = { ...interrupted(view), queue: view.queue.filter((one) => one.id !== id) }
      return promptEntries(message).reduce(add, left)
    }
    case 'assistant': {
      const said = replyEntries(message).reduce(add, { ...interrupted(view, isPending), reply: noReply })
      return pendingCalls(message).reduce(open, said)
    }
    case 'tool_result':
      return close(view, text(message['tool_call_id']), message)
    default:
      return view
  }
}

function add(view: SessionView, entry: PageEntry): SessionView {
  return { ...view, transcript: addEntry(view.transcript, entry) }
}

/** Opens a call, or brings an open one up to date. */
function open(view: SessionView, call: OpenCall): SessionView {
  const known = view.calls.some(({ id }) => id === call.id)
  const changed = view.calls.map((one) =>
    one.id === call.id && one.state !== 'running' ? { ...call, output: one.output } : one,
  )
  return { ...view, calls: known ? changed : [...view.calls, call] }
}

function running(line: JsonObject): OpenCall {
  return {
    ...openCall(text(line['call_id']), text(line['name']), line['arguments'] ?? null),
    state: 'running',
  }
}

/** Moves a call with its result to the transcript. The first result counts: its message repeats what the event of its end told. */
function close(view: SessionView, id: string, result: JsonObject): SessionView {
  const call = view.calls.find((one) => one.id === id)
  if (call === undefined) return view
  const elf = view.elves.find(({ callId, isBackground }) => callId === id && !isBackground)
  const ended = { ...endCall(call, result), elf }
  return add({ ...view, calls: view.calls.filter((one) => one !== call) }, ended)
}

const isPending = ({ state }: OpenCall) => state !== 'writing'

/** Moves calls that will get no result to the transcript. Those that the model had not finished are dropped. */
function interrupted(view: SessionView, keep: (call: OpenCall) => boolean = () => false): SessionView {
  if (view.calls.length === 0) return view
  const lost = view.calls.filter((call) => !keep(call) && isPending(call))
  return lost.map(interruptCall).reduce(add, { ...view, calls: view.calls.filter(keep) })
}

function discard(view: SessionView, words: string): SessionView {
  return add({ ...view, reply: noReply, calls: view.calls.filter(isPending) }, noteEntry(words, 'error'))
}

function settle(view: SessionView, response: JsonObject): SessionView {
  const id = text(response['interaction_id'])
  const question = view.questions.find((one) => one.id === id)
  if (question === undefined) return view
  const left = { ...view, questions: view.questions.filter((one) => one !== question) }
  if (view.answered.includes(id)) return left
  const isVoid = response['cancelled'] === true
  return add(
    left,
    noteEntry(`${question.title} ${isVoid ? 'No answer is needed any more.' : 'Answered elsewhere.'}`),
  )
}

function readQueue(line: JsonObject): readonly QueuedText[] {
  return objects(line['queue']).map((one) => ({
    id: text(one['id']),
    text: text(one['text']),
    isLater: one['kind'] === 'follow_up',
  }))
}
