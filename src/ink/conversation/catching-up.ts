import type { Interaction } from '../../interaction.ts'
import { addDelta, flush } from '../markdown/draft.ts'
import { openQuestion } from '../question/asked-question.ts'
import { stopElf } from '../shown-elf.ts'
import type { Entry, Queued, Screen } from '../state.ts'
import type { OpenCall } from '../transcript/call.ts'
import { callLook } from '../transcript/call-look.ts'
import type { Plan } from '../transcript/plan.ts'

/** A conversation that a server runs, as far as the screen has missed it. Texts are cleaned for display. */
export interface Missed {
  /** The transcript since the last shown message. */
  readonly entries: readonly Entry[]
  /** The reply so far. */
  readonly reply: readonly MissedBlock[]
  /** The running calls. */
  readonly calls: readonly Pick<OpenCall, 'id' | 'name' | 'arguments'>[]
  readonly questions: readonly Interaction[]
  readonly queued: readonly Queued[]
  readonly isBusy: boolean
}

export interface MissedBlock {
  readonly type: 'text' | 'thinking'
  readonly id: string
  readonly text: string
}

/** Nothing of a turn is left to show here: it goes on elsewhere. */
export const nothingMissed: Missed = {
  entries: [],
  reply: [],
  calls: [],
  questions: [],
  queued: [],
  isBusy: false,
}

/** Returns the list of the turn in which the entries end. `before` is that of the turn in which they begin. */
export function planAfter(entries: readonly Entry[], before?: Plan): Plan | undefined {
  const said = entries.findLastIndex(({ type }) => type === 'user')
  const last = entries.slice(said + 1).findLast((entry) => entry.type === 'plan')
  if (last !== undefined) return { items: last.items, isNews: false }
  return said === -1 ? before : undefined
}

/** Brings the screen up to date with a server: replaces all that a turn shows by what goes on now. Pure. */
export function catchUp(screen: Screen, missed: Missed, at: number): Screen {
  const { entries, reply, calls, questions, queued, isBusy } = missed
  const flushed = flush(screen)
  const now: Screen = {
    ...flushed,
    now: at,
    heardAt: at,
    finished: [...flushed.finished, ...entries],
    calls: calls.map((call) => ({ ...call, look: callLook(screen, call.name), startedAt: at, output: '' })),
    elves: isBusy ? screen.elves : screen.elves.map((elf) => stopElf(elf, at)),
    questions: [
      ...screen.questions.filter(({ asker }) => asker !== undefined && asker.type !== 'elf'),
      // One that is being answered stays as it is.
      ...questions.map(
        (question) =>
          screen.questions.find(({ interaction }) => interaction.id === question.id) ??
          openQuestion(question),
      ),
    ],
    queued,
    retry: undefined,
    plan: isBusy ? planAfter(entries, screen.plan) : undefined,
    turn: isBusy ? screen.turn : undefined,
    busySince: isBusy ? (screen.busySince ?? at) : undefined,
  }
  return reply.reduce((shown, { type, id, text }) => addDelta(shown, type, id, text), now)
}
