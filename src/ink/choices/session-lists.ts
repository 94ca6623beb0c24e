import { counted } from '../../frontend/words/amount.ts'
import type { SessionElsewhere, SessionSummary } from '../../session.ts'
import type { Choosing, Picking } from '../picker/picking.ts'
import { type SessionItemsOptions, sessionItems, sessionOrders } from './session-items.ts'

/** The sessions of this folder, and those of all folders, which are one Tab away. */
export interface SessionLists
  extends Omit<SessionItemsOptions, 'groupOf'>,
    Pick<Choosing, 'onChosen' | 'onFocused' | 'onLeft'> {
  readonly picking: Picking
  readonly here: () => AsyncIterable<SessionSummary>
  /** Default: there is no Tab. */
  readonly elsewhere?: (() => AsyncIterable<SessionElsewhere>) | undefined
  /** Error to report if no list has an item. */
  readonly none: string
}

/** One of the two lists. */
interface SessionPage extends Pick<SessionItemsOptions, 'groupOf'> {
  /** Its name on the Tab of the other one. */
  readonly name: string
  readonly title: string
  readonly sessions: () => AsyncIterable<SessionSummary | SessionElsewhere>
}

/** Opens the list of this folder; that of all folders if it is empty. Reads each session once. Throws as `Picking.open`. */
export async function openSessionLists(lists: SessionLists): Promise<void> {
  const here = replayable(lists.here)
  const elsewhere = lists.elsewhere && replayable(lists.elsewhere)
  const shown: SessionPage = {
    name: 'this folder',
    title: 'Continue which conversation?',
    sessions: here.list,
  }
  const other: SessionPage | undefined = elsewhere && {
    name: 'all folders',
    title: 'Continue which, of all folders?',
    sessions: () => behind(here.list(), elsewhere.list()),
    groupOf,
  }
  const stop = async () => {
    await Promise.all([here.stop(), elsewhere?.stop()])
  }
  await openPage({ ...lists, state: { stop } }, { shown, other, filter: undefined })
}

/** The list that was opened last, and the end of all reading. */
interface Shown {
  last?: Choosing
  readonly stop: () => Promise<void>
}

function groupOf(session: SessionSummary | SessionElsewhere): string {
  if (!('isOfRepository' in session)) return 'this folder'
  return session.isOfRepository ? 'this repository elsewhere' : 'other folders'
}

interface Pages {
  readonly shown: SessionPage
  /** The list behind the Tab; `undefined` if there is none. */
  readonly other: SessionPage | undefined
  readonly filter: string | undefined
}

async function openPage(
  lists: SessionLists & { readonly state: Shown },
  { shown, other, filter }: Pages,
): Promise<void> {
  const { picking, here: _, elsewhere: __, now, except, note, state, ...choices } = lists
  const choosing: Choosing = {
    ...choices,
    title: shown.title,
    noun: 'session',
    orders: sessionOrders,
    fold: (folded) => `… ${counted(folded.length, 'replay')} hidden`,
    items: sessionItems(shown.sessions(), { now, except, note, groupOf: shown.groupOf }),
    ...(other !== undefined && {
      tab: other.name,
      onTab: (typed: string) => openPage(lists, { shown: other, other: shown, filter: typed }),
      // The empty list is no place to go back to.
      onEmpty: () => openPage(lists, { shown: other, other: undefined, filter }),
    }),
    filter,
  }
  state.last = choosing
  try {
    await picking.open(choosing)
  } finally {
    // Behind Tab, the other list goes on reading.
    if (state.last === choosing && !picking.isOpen(choosing)) await state.stop()
  }
}

interface Replayable<Summary> {
  readonly list: () => AsyncIterable<Summary>
  readonly stop: () => Promise<void>
}

/** Lists the same sessions each time, of which each is read once, also if a list is left while it is read. */
function replayable<Summary>(open: () => AsyncIterable<Summary>): Replayable<Summary> {
  const read: Summary[] = []
  let iterator: AsyncIterator<Summary> | undefined
  let reading: Promise<boolean> | undefined
  const readOne = async () => {
    try {
      iterator ??= open()[Symbol.asyncIterator]()
      const step = await iterator.next()
      if (step.done !== true) read.push(step.value)
      return step.done !== true
    } finally {
      reading = undefined
    }
  }
  const list = async function* () {
    for (let i = 0; ; i++) {
      while (i >= read.length) {
        reading ??= readOne()
        if (!(await reading)) return
      }
      const known = read[i]
      if (known !== undefined) yield known
    }
  }
  const stop = async () => {
    await iterator?.return?.()
  }
  return { list, stop }
}

async function* behind<Summary>(
  first: AsyncIterable<Summary>,
  rest: AsyncIterable<Summary>,
): AsyncGenerator<Summary, undefined, undefined> {
  yield* first
  yield* rest
}
