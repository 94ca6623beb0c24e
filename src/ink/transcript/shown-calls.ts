import type { Entry, Screen } from '../state.ts'
import type { EndedCall, OpenCall } from './call.ts'
import { itemsOf } from './plan.ts'
import { isLook, longestRun, runEntries } from './shown-reads.ts'
import { countCall } from './turn-facts.ts'

/** Ended calls that wait for one before them at most. With more, they no longer keep its order. */
const mostHeld = 16

/** Ends a call. It joins the transcript after the calls before it. */
export function endCallWith(screen: Screen, id: string, ended: EndedCall): Screen {
  const { turn } = screen
  const calls = screen.calls.map((call) => (call.id === id ? { ...call, ended } : call))
  return release({ ...screen, calls, turn: turn && countCall(turn, ended) })
}

/** Moves the ended calls that no open one precedes to the transcript. */
function release(screen: Screen): Screen {
  const { calls } = screen
  const firstOpen = calls.findIndex(({ ended }) => ended === undefined)
  const held = calls.filter(({ ended }) => ended !== undefined)
  const isOrdered = held.length <= mostHeld
  const passed = isOrdered ? calls.slice(0, firstOpen === -1 ? calls.length : firstOpen) : held
  if (passed.length === 0) return screen
  const left = calls.filter((call) => !passed.includes(call))
  return passed.reduce(finish, { ...screen, calls: left })
}

/** Adds an ended call to the transcript, or to the run of calls that looked. The list of what is to be done has a place of its own. */
function finish(screen: Screen, { ended }: OpenCall): Screen {
  if (ended === undefined) return screen
  if (ended.look.display === 'plan' && !ended.isError) {
    return { ...screen, plan: { items: itemsOf(ended.details), isNews: true } }
  }
  if (!isLook(ended)) return append(endRun(screen), { type: 'tool', ...ended })
  const longer = { ...screen, looks: [...screen.looks, ended] }
  return longer.looks.length < longestRun ? longer : endRun(longer)
}

/** Moves the run of calls that looked to the transcript: something else follows it. */
export function endRun(screen: Screen): Screen {
  const { looks, finished } = screen
  return looks.length === 0 ? screen : { ...screen, looks: [], finished: [...finished, ...runEntries(looks)] }
}

/** Moves all ended calls to the transcript, and drops the others but those that `entryOf` makes an entry of. */
export function endCalls(screen: Screen, entryOf: (call: OpenCall) => Entry | undefined): Screen {
  const ended = screen.calls.reduce<Screen>(
    (now, call) => {
      if (call.ended !== undefined) return finish(now, call)
      const entry = entryOf(call)
      return entry === undefined ? now : append(endRun(now), entry)
    },
    { ...screen, calls: [] },
  )
  return ended
}

function append(screen: Screen, entry: Entry): Screen {
  return { ...screen, finished: [...screen.finished, entry] }
}

/**
 * Keeps the order of the transcript after an event: a run of calls that looked comes before the entries that the event added. Also
 * remembers the last entry, and whether anything follows the head.
 */
export function keepOrder(before: Screen, after: Screen): Screen {
  const { finished, looks } = after
  if (finished === before.finished || finished.length === 0) return after
  const isPassed = looks.length > 0 && looks === before.looks
  const at = before.finished.length
  const hasBegun = finished.slice(at).reduce(follows, before.hasBegun)
  if (!isPassed) return { ...after, last: finished.at(-1), hasBegun }
  const ordered = [...finished.slice(0, at), ...runEntries(looks), ...finished.slice(at)]
  return { ...after, finished: ordered, looks: [], last: ordered.at(-1), hasBegun }
}

/** Whether more than a head and notes is shown after an entry. */
function follows(hasBegun: boolean, { type }: Entry): boolean {
  return type === 'note' ? hasBegun : type !== 'header'
}
