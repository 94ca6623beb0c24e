import { unreachable } from '../error.ts'
import { clearPrompt } from './prompt.ts'
import { openQuestion } from './question.ts'
import { reduceAgent } from './reduce-agent.ts'
import type { ScreenEvent } from './screen-event.ts'
import { endErrand, note, postpone, settle } from './settle.ts'
import type { Screen } from './state.ts'

/** The screen after an event. Pure. */
export function reduce(screen: Screen, event: ScreenEvent): Screen {
  switch (event.type) {
    case 'agent':
      return reduceAgent({ ...screen, now: event.at, heardAt: event.at }, event.event)
    case 'edited':
      return {
        ...screen,
        prompt: event.prompt,
        typedAt: event.at,
        quitAsked: undefined,
      }
    case 'sent':
      return {
        ...screen,
        prompt: clearPrompt(screen.prompt, event.text),
        typedAt: undefined,
        quitAsked: undefined,
      }
    case 'begun':
      return { ...screen, busySince: event.at, heardAt: event.at, now: event.at }
    case 'queued':
      return { ...screen, queued: [...screen.queued, event.message] }
    case 'interrupted':
      return settle(screen, 'interrupted')
    case 'settled':
      return settle(screen, undefined)
    case 'errand_begun':
      return { ...screen, errand: { doing: event.doing, since: event.at, later: [] }, now: event.at }
    case 'postponed':
      return postpone(screen, event.text)
    case 'errand_ended':
      return endErrand(screen, event.isDone)
    case 'noted':
      return note(screen, event.level, event.text)
    case 'asked':
      return { ...screen, questions: [...screen.questions, openQuestion(event.interaction)] }
    case 'considered':
      return { ...changeQuestion(screen, event.question), typedAt: undefined }
    case 'answered':
      return { ...screen, questions: screen.questions.slice(1) }
    case 'quit_asked':
      return { ...screen, prompt: clearPrompt(screen.prompt), quitAsked: event.at }
    case 'tick':
      return { ...screen, now: event.now }
    case 'lapsed':
      return { ...screen, quitAsked: undefined }
    case 'resized':
      return { ...changeQuestion(screen, { offset: 0 }), size: event.size }
    case 'status':
      return { ...screen, status: { ...screen.status, ...event.status } }
    case 'opened':
      return open(settle(screen, undefined), event)
    case 'away':
      return { ...screen, isAway: event.isAway }
    case 'left':
      return { ...settle(screen, undefined), isOver: true }
    case 'shown':
      return show(screen, event.at)
    default:
      return unreachable(event)
  }
}

/** What was said in the conversation before can be called back into the prompt. */
function open(screen: Screen, { entries, status }: Extract<ScreenEvent, { type: 'opened' }>): Screen {
  const said = entries.flatMap((entry) => (entry.type === 'user' ? [entry.text] : []))
  return {
    ...screen,
    finished: [...screen.finished, ...entries],
    prompt: { ...screen.prompt, history: [...screen.prompt.history, ...said] },
    status,
    routeReason: undefined,
  }
}

function show(screen: Screen, at: number): Screen {
  const taken = screen.finished.length === 0 ? screen : { ...screen, finished: [] }
  const [question] = screen.questions
  return question === undefined || question.shownAt !== undefined
    ? taken
    : changeQuestion(taken, { shownAt: at })
}

function changeQuestion(screen: Screen, change: Partial<Screen['questions'][number]>): Screen {
  const [first, ...others] = screen.questions
  return first === undefined ? screen : { ...screen, questions: [{ ...first, ...change }, ...others] }
}
