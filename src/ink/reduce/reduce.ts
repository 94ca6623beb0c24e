import { unreachable } from '../../error.ts'
import { catchUp, planAfter } from '../conversation/catching-up.ts'
import { keepDraft } from '../markdown/draft.ts'
import { searchAgain } from '../prompt/history-search.ts'
import { addEarlier, asPasted, clearPrompt, giveBack, type PromptText, sentText } from '../prompt/prompt.ts'
import { armingWhenShown, unarmed, unseen } from '../question/arming.ts'
import { firstFocus, isOfTask, openQuestion, type Question } from '../question/asked-question.ts'
import { questionArea, seenRows } from '../question/question-view.ts'
import type { Screen } from '../state.ts'
import { keepOrder } from '../transcript/shown-calls.ts'
import { deliver, endLastTurn, endTask, note, postpone, takeBack } from '../turn-state.ts'
import { keepEntries } from '../view/recent.ts'
import { resizeView } from '../view/scroll.ts'
import { followThoughts } from '../view/thoughts-view.ts'
import { settledPrompt, withEditor } from '../vim/vim-change.ts'
import { reduceAgent } from './reduce-agent.ts'
import { reduceElfEvent } from './reduce-elves.ts'
import type { ScreenEvent } from './screen-event.ts'

/** Returns the screen after an event. Pure. */
export function reduce(screen: Screen, event: ScreenEvent): Screen {
  return keepOrder(screen, settled(screen, apply(screen, event)))
}

/** Puts the cursor of a changed draft where vim keys have it. */
function settled(before: Screen, screen: Screen): Screen {
  if (screen.prompt === before.prompt) return screen
  const prompt = settledPrompt(screen.prompt)
  return prompt === screen.prompt ? screen : { ...screen, prompt }
}

function apply(screen: Screen, event: ScreenEvent): Screen {
  switch (event.type) {
    case 'agent':
      return reduceAgent({ ...screen, now: event.at, heardAt: event.at }, event.event)
    case 'elf':
      return reduceElfEvent({ ...screen, now: event.at, heardAt: event.at }, event.event)
    case 'pressed':
      return { ...screen, pressedAt: event.at, escapedAt: undefined, showsKeys: false }
    case 'keys_shown':
      return { ...screen, showsKeys: event.isShown }
    case 'edited':
      return {
        ...unarm(screen),
        prompt: event.prompt,
        completion: event.completion,
        search: undefined,
        typedAt: event.at,
        quitAsked: undefined,
      }
    case 'completion':
      return { ...screen, completion: event.completion }
    case 'searched':
      return { ...screen, search: event.search }
    case 'sent':
      return {
        ...screen,
        prompt: clearPrompt(screen.prompt, event.written),
        typedAt: undefined,
        quitAsked: undefined,
      }
    case 'remembered':
      return rememberAll(screen, event.written)
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
      return endLastTurn(screen, 'interrupted')
    case 'settled':
      return endLastTurn(screen)
    case 'followed':
      return {
        ...screen,
        queued: event.queued,
        heardAt: screen.busySince === undefined && event.isBusy ? event.at : screen.heardAt,
        now: screen.busySince === undefined && event.isBusy ? event.at : screen.now,
        busySince: event.isBusy ? (screen.busySince ?? event.at) : undefined,
      }
    case 'caught_up':
      return catchUp(screen, event.missed, event.at)
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
    case 'dismissed':
      return screen.questions.some(({ interaction }) => interaction.id === event.question)
        ? {
            ...screen,
            questions: screen.questions.filter(({ interaction }) => interaction.id !== event.question),
          }
        : screen
    case 'withdrawn':
      return { ...screen, questions: screen.questions.filter((one) => !isOfTask(one, event.task)) }
    case 'picker':
      return { ...screen, picker: event.picker }
    case 'secret':
      return { ...screen, secret: event.secret }
    case 'panel':
      return { ...screen, panel: event.panel }
    case 'view':
      // A question that a view hid has to be read first, unless the user was writing words, which allow nothing.
      return {
        ...(isWriting(screen) ? screen : changeQuestion(screen, { arming: unseen })),
        view: event.view,
      }
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
      return resizeView(
        { ...changeQuestion(screen, { offset: 0, seenRows: 0 }), size: event.size },
        screen.size,
      )
    case 'draft_kept':
      return keepDraft(screen)
    case 'status':
      return { ...screen, status: { ...screen.status, ...event.status } }
    case 'opened':
      return open(endLastTurn(screen), event)
    case 'syntax_loaded':
      return { ...screen, syntax: event.syntax }
    case 'editor':
      return { ...screen, prompt: withEditor(screen.prompt, event.isVim) }
    case 'theme':
      return { ...screen, theme: event.theme }
    case 'away':
      // The user has to read the question again after returning.
      return { ...changeQuestion(screen, { arming: unseen }), isAway: event.isAway }
    case 'left':
      return { ...endLastTurn(screen), view: undefined, isOver: true }
    case 'shown':
      return show(screen, event.at)
    default:
      return unreachable(event)
  }
}

/** Shows another conversation and makes its user messages available to the prompt history. */
function open(
  screen: Screen,
  { entries, answers = [], status }: Extract<ScreenEvent, { type: 'opened' }>,
): Screen {
  const known = new Set(screen.prompt.history.map(sentText))
  const said = entries.flatMap((entry) =>
    entry.type === 'user' && !known.has(entry.text) ? [asPasted(entry.text)] : [],
  )
  return {
    ...screen,
    finished: [...screen.finished, ...entries],
    prompt: { ...screen.prompt, history: [...screen.prompt.history, ...said] },
    status,
    view: undefined,
    recent: { ...screen.recent, answers },
    elves: [],
    // Here a turn begins anew; at a server it may go on.
    plan: status.server === undefined ? undefined : planAfter(entries),
    routeReason: undefined,
  }
}

function rememberAll(screen: Screen, written: readonly PromptText[]): Screen {
  const { prompt, search } = screen
  const remembered = addEarlier(prompt, written)
  const added = remembered.history.length - prompt.history.length
  return { ...screen, prompt: remembered, search: search && searchAgain(remembered, search, added) }
}

function show(screen: Screen, at: number): Screen {
  const { finished } = screen
  const recent = keepEntries(screen.recent, finished)
  const taken = followThoughts(finished.length === 0 ? screen : { ...screen, finished: [], recent })
  const [question] = screen.questions
  return question === undefined || screen.isAway || screen.view !== undefined
    ? taken
    : changeQuestion(taken, seen(taken, question, at))
}

/** Records how much of a drawn question the user has seen. Keeps the focus once it is set. */
function seen(screen: Screen, question: Question, at: number): Partial<Question> {
  const { prompt, search, typedAt, pressedAt } = screen
  const hasDraft = prompt.text !== '' || search !== undefined
  const arming =
    question.arming.type === 'unseen'
      ? armingWhenShown(at, { hasDraft, typedAt, pressedAt })
      : question.arming
  const area = questionArea(changeQuestion(screen, { arming }))
  const { rows, isAll } = seenRows(question, area)
  return { arming, seenRows: rows, focused: question.focused ?? firstFocus(question, isAll) }
}

/** Whether the user has begun an answer in words. */
function isWriting({ questions: [question] }: Screen): boolean {
  return question?.words !== undefined && question.words.text !== ''
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
