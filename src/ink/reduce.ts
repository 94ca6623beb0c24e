import { unreachable } from '../error.ts'
import { armingWhenShown, unarmed, unseen } from './arming.ts'
import { keepDraft } from './draft.ts'
import { asPasted, clearPrompt, giveBack, promptText } from './prompt.ts'
import { asked, firstFocus, isOfTask, openQuestion, type Question } from './question.ts'
import { questionArea, seenRows } from './question-view.ts'
import { reduceAgent } from './reduce-agent.ts'
import { reduceElfEvent } from './reduce-elves.ts'
import type { ScreenEvent } from './screen-event.ts'
import { deliver, endTask, note, postpone, settle, takeBack } from './settle.ts'
import type { Screen } from './state.ts'

/** Returns the screen after an event. Pure. */
export function reduce(screen: Screen, event: ScreenEvent): Screen {
  switch (event.type) {
    case 'agent':
      return reduceAgent({ ...screen, now: event.at, heardAt: event.at }, event.event)
    case 'elf':
      return reduceElfEvent({ ...screen, now: event.at, heardAt: event.at }, event.event)
    case 'pressed':
      return { ...screen, pressedAt: event.at, escapedAt: undefined }
    case 'edited':
      return {
        ...unarm(screen),
        prompt: event.prompt,
        typedAt: event.at,
        quitAsked: undefined,
      }
    case 'sent':
      return {
        ...screen,
        prompt: clearPrompt(screen.prompt, event.written),
        typedAt: undefined,
        quitAsked: undefined,
      }
    case 'given_back':
      return { ...screen, prompt: giveBack(screen.prompt, [event.written]) }
    case 'begun':
      return { ...screen, busySince: event.at, heardAt: event.at, now: event.at }
    case 'queued':
      return { ...screen, queued: [...screen.queued, event.message] }
    case 'delivered':
      return deliver(screen, event.messageId)
    case 'taken_back':
      return takeBack(screen)
    case 'interrupted':
      return settle(screen, 'interrupted')
    case 'settled':
      return settle(screen, undefined)
    case 'task_begun':
      return { ...screen, task: { doing: event.doing, since: event.at, later: [] }, now: event.at }
    case 'postponed':
      return postpone(screen, event.waiting)
    case 'task_ended':
      return endTask(screen, event.isDone)
    case 'noted':
      return note(screen, event.level, event.text)
    case 'asked':
      return {
        ...screen,
        questions: [...screen.questions, openQuestion(event.interaction, event.asker)],
        // The typed text is about to be sent.
        typedAt: undefined,
      }
    case 'considered':
      return { ...changeQuestion(screen, event.question), typedAt: undefined }
    case 'answered':
      return { ...screen, questions: screen.questions.slice(1) }
    case 'withdrawn':
      return { ...screen, questions: screen.questions.filter((one) => !isOfTask(one, event.task)) }
    case 'picker':
      return { ...screen, picker: event.picker }
    case 'panel':
      return { ...screen, panel: event.panel }
    case 'escaped':
      return { ...screen, escapedAt: event.at }
    case 'cleared':
      return { ...screen, prompt: clearPrompt(screen.prompt), typedAt: undefined }
    case 'quit_asked':
      return { ...screen, quitAsked: event.at }
    case 'tick':
      return { ...screen, now: event.now }
    case 'lapsed':
      return { ...screen, quitAsked: undefined }
    case 'resized':
      return { ...changeQuestion(screen, { offset: 0, seenRows: 0 }), size: event.size }
    case 'draft_kept':
      return keepDraft(screen)
    case 'status':
      return { ...screen, status: { ...screen.status, ...event.status } }
    case 'opened':
      return open(settle(screen, undefined), event)
    case 'away':
      // The user has to read the question again after returning.
      return { ...changeQuestion(screen, { arming: unseen }), isAway: event.isAway }
    case 'left':
      return { ...settle(screen, undefined), isOver: true }
    case 'shown':
      return show(screen, event.at)
    default:
      return unreachable(event)
  }
}

/** Shows another conversation and makes its user messages available to the prompt history. */
function open(screen: Screen, { entries, status }: Extract<ScreenEvent, { type: 'opened' }>): Screen {
  const known = new Set(screen.prompt.history.map(promptText))
  const said = entries.flatMap((entry) =>
    entry.type === 'user' && !known.has(entry.text) ? [asPasted(entry.text)] : [],
  )
  return {
    ...screen,
    finished: [...screen.finished, ...entries],
    prompt: { ...screen.prompt, history: [...screen.prompt.history, ...said] },
    status,
    elves: [],
    routeReason: undefined,
  }
}

function show(screen: Screen, at: number): Screen {
  const taken = screen.finished.length === 0 ? screen : { ...screen, finished: [] }
  const [question] = screen.questions
  return question === undefined || screen.isAway ? taken : changeQuestion(taken, seen(taken, question, at))
}

/** Records how much of a drawn question the user has seen. Keeps the focus once it is set. */
function seen(screen: Screen, question: Question, at: number): Partial<Question> {
  const { prompt, typedAt, pressedAt } = screen
  const hasDraft = prompt.text !== ''
  const arming =
    question.arming.type === 'unseen'
      ? armingWhenShown(at, { hasDraft, typedAt, pressedAt })
      : question.arming
  const area = questionArea(changeQuestion(screen, { arming }))
  const { rows, isAll } = seenRows(question, area)
  return { arming, seenRows: rows, focused: question.focused ?? firstFocus(asked(question), isAll) }
}

/** Unarms the question: the user is typing. */
function unarm(screen: Screen): Screen {
  const [question] = screen.questions
  return question === undefined || question.arming.type === 'unseen'
    ? screen
    : changeQuestion(screen, { arming: unarmed, isRefused: false })
}

function changeQuestion(screen: Screen, change: Partial<Screen['questions'][number]>): Screen {
  const [first, ...others] = screen.questions
  return first === undefined ? screen : { ...screen, questions: [{ ...first, ...change }, ...others] }
}
