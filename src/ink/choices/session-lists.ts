import type { SessionElsewhere, SessionSummary } from '../../session.ts'
import type { Choosing, Picking } from '../picker/picking.ts'
import { type SessionItemsOptions, sessionItems } from './session-items.ts'

/** The sessions of this folder, and those of others, which are one Tab away. */
export interface SessionLists
  extends SessionItemsOptions,
    Pick<Choosing, 'onChosen' | 'onFocused' | 'onLeft'> {
  readonly picking: Picking
  readonly here: () => AsyncIterable<SessionSummary>
  /** Default: there is no Tab. */
  readonly elsewhere?: (() => AsyncIterable<SessionElsewhere>) | undefined
  /** Error to report if no list has an item. */
  readonly none: string
}

/** One of the two lists. */
interface SessionPage {
  /** Its name on the Tab of the other one. */
  readonly name: string
  readonly title: string
  readonly sessions: () => AsyncIterable<SessionSummary | SessionElsewhere>
}

/** Opens the list of this folder; the other one if it is empty. Throws as `Picking.open`. */
export async function openSessionLists(lists: SessionLists): Promise<void> {
  const shown: SessionPage = {
    name: 'this folder',
    title: 'Continue which conversation?',
    sessions: lists.here,
  }
  const other: SessionPage | undefined = lists.elsewhere && {
    name: 'other folders',
    title: 'Continue which conversation of another folder?',
    sessions: lists.elsewhere,
  }
  await openPage(lists, { shown, other, filter: undefined })
}

interface Pages {
  readonly shown: SessionPage
  /** The list behind the Tab; `undefined` if there is none. */
  readonly other: SessionPage | undefined
  readonly filter: string | undefined
}

async function openPage(lists: SessionLists, { shown, other, filter }: Pages): Promise<void> {
  const { picking, here: _, elsewhere: __, now, except, note, ...choosing } = lists
  await picking.open({
    ...choosing,
    title: shown.title,
    items: sessionItems(shown.sessions(), { now, except, note }),
    ...(other !== undefined && {
      tab: other.name,
      onTab: (typed: string) => openPage(lists, { shown: other, other: shown, filter: typed }),
      // The empty list is no place to go back to.
      onEmpty: () => openPage(lists, { shown: other, other: undefined, filter }),
    }),
    filter,
  })
}
