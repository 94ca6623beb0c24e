import { unreachable } from '../error.ts'
import { clearPrompt } from './prompt.ts'
import { reduceAgent } from './reduce-agent.ts'
import type { ScreenEvent } from './screen-event.ts'
import { note, settle } from './settle.ts'
import type { Screen } from './state.ts'

/** The screen after an event. Pure. */
export function reduce(screen: Screen, event: ScreenEvent): Screen {
  switch (event.type) {
    case 'agent':
      return reduceAgent({ ...screen, now: event.at }, event.event)
    case 'edited':
      return {
        ...screen,
        prompt: event.prompt,
        typedAt: screen.busySince === undefined ? undefined : event.at,
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
      return { ...screen, busySince: event.at, now: event.at }
    case 'queued':
      return { ...screen, queued: [...screen.queued, event.message] }
    case 'interrupted':
      return settle(screen, 'interrupted')
    case 'settled':
      return settle(screen, undefined)
    case 'noted':
      return note(screen, event.level, event.text)
    case 'scrolled':
      return changeQuestion(screen, { offset: event.offset })
    case 'explaining':
      return { ...changeQuestion(screen, { explaining: event.on }), typedAt: undefined }
    case 'answered': {
      const [answered, ...questions] = screen.questions
      const prompt = answered?.explaining === true ? clearPrompt(screen.prompt) : screen.prompt
      return { ...screen, questions, prompt }
    }
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
      return {
        ...settle(screen, undefined),
        finished: [...screen.finished, ...event.entries],
        status: { ...screen.status, ...event.status },
      }
    case 'left':
      return { ...settle(screen, undefined), isOver: true }
    case 'taken':
      return screen.finished.length === 0 ? screen : { ...screen, finished: [] }
    default:
      return unreachable(event)
  }
}

function changeQuestion(screen: Screen, change: Partial<Screen['questions'][number]>): Screen {
  const [first, ...others] = screen.questions
  return first === undefined ? screen : { ...screen, questions: [{ ...first, ...change }, ...others] }
}
