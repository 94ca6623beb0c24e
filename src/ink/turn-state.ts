import type { MessageId } from '../id.ts'
import { flush } from './markdown/draft.ts'
import { giveBack } from './prompt/prompt.ts'
import { detailsOf, stopElf } from './shown-elf.ts'
import type { Entry, Screen, Waiting } from './state.ts'
import { isWhole, type OpenCall, runTime } from './transcript/call.ts'
import { endCalls, endRun } from './transcript/shown-calls.ts'
import { type TurnEnd, turnEnd } from './transcript/turn-end.ts'

/** Adds a note from the program itself to the transcript. */
export function note(screen: Screen, level: 'info' | 'error', text: string, isPart = false): Screen {
  const entry: Entry = { type: 'note', level, text, ...(isPart && { isPart }) }
  return { ...screen, finished: [...screen.finished, entry] }
}

/**
 * Ends a turn: makes the draft final, marks open calls as interrupted, and tells how it ended. Queued messages start the next turn.
 */
export function endTurn(screen: Screen, outcome: TurnEnd['outcome'] = 'done'): Screen {
  const stopped = endCalls(flush(screen), (call) =>
    isWhole(call) ? interruptedEntry(call, screen) : undefined,
  )
  const over = endRun(stopped)
  const { plan } = over
  const isPlanned = plan?.isNews === true && plan.items.length > 0
  const end = turnEnd(screen, outcome)
  return {
    ...over,
    finished: [
      ...over.finished,
      ...(isPlanned ? [{ type: 'plan', items: plan.items } as const] : []),
      ...(end === undefined ? [] : [{ type: 'end', ...end } as const]),
    ],
    // The list of a turn says nothing of the next one.
    plan: undefined,
    turn: undefined,
    retry: undefined,
    elves: screen.elves.map((elf) => (elf.start.isBackground === true ? elf : stopElf(elf, screen.now))),
    questions: screen.questions.filter(({ asker }) => asker !== undefined),
    busySince: screen.queued.length === 0 ? undefined : screen.busySince,
    typedAt: undefined,
  }
}

/** Ends the last turn: queued messages go back to the prompt. */
export function endLastTurn(screen: Screen, outcome?: TurnEnd['outcome']): Screen {
  const ended = endTurn({ ...screen, queued: [] }, outcome)
  const prompt = giveBack(
    screen.prompt,
    screen.queued.map(({ written }) => written),
  )
  return { ...ended, prompt }
}

/** Moves a queued message to the transcript. */
export function deliver(screen: Screen, id: MessageId): Screen {
  const said = screen.queued.find((one) => one.id === id)
  if (said === undefined) return screen
  const queued = screen.queued.filter((one) => one !== said)
  return { ...screen, queued, finished: [...screen.finished, { type: 'user', text: said.text }] }
}

/** Moves the newest waiting message back to the prompt. */
export function takeBack({ task, queued, ...screen }: Screen): Screen {
  const later = task?.later.at(-1)
  const newest = later ?? queued.at(-1)
  return {
    ...screen,
    task: task === undefined ? undefined : { ...task, later: task.later.slice(0, -1) },
    queued: later === undefined ? queued.slice(0, -1) : queued,
    prompt: giveBack(screen.prompt, newest === undefined ? [] : [newest.written]),
  }
}

/** Creates the entry of a call that will never end. */
function interruptedEntry(call: OpenCall, { now, elves }: Screen): Entry {
  const { id, name, look, arguments: args, output } = call
  const durationMs = runTime(call, now)
  const elf = elves.find(({ start }) => start.callId === id)
  const ended = { name, look, arguments: args, isError: true, isInterrupted: true, text: output } as const
  const about = elf && { details: detailsOf(stopElf(elf, now)), elfCalls: elf.calls }
  return { type: 'tool', ...ended, ...about, durationMs }
}

/** Adds a message that waits for the end of the task. */
export function postpone(screen: Screen, waiting: Waiting): Screen {
  const { task } = screen
  return task === undefined ? screen : { ...screen, task: { ...task, later: [...task.later, waiting] } }
}

/** Ends the task. If it is done, the caller sends the waiting messages, else they go back to the prompt. */
export function endTask({ task, ...screen }: Screen, isDone: boolean): Screen {
  const later = isDone ? [] : (task?.later ?? [])
  const prompt = giveBack(
    screen.prompt,
    later.map(({ written }) => written),
  )
  return { ...screen, prompt, task: undefined }
}
