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

interface Shown {
  readonly isElsewhere: boolean
  readonly filter?: string
  /** Whether the other list is known to be empty. */
  readonly isOnly?: boolean
}

/** Opens the list of this folder; the other one if it is empty. Throws as `Picking.open`. */
export async function openSessionLists(
  lists: SessionLists,
  shown: Shown = { isElsewhere: false },
): Promise<void> {
  const { picking, here, elsewhere, now, except, note, ...choosing } = lists
  const { isElsewhere, filter, isOnly = false } = shown
  const other = elsewhere === undefined || isOnly ? undefined : { isElsewhere: !isElsewhere }
  const turn = (more: Partial<Shown>) => openSessionLists(lists, { isElsewhere: !isElsewhere, ...more })
  await picking.open({
    ...choosing,
    title: isElsewhere ? 'Continue which conversation of another folder?' : 'Continue which conversation?',
    items: sessionItems(isElsewhere && elsewhere !== undefined ? elsewhere() : here(), { now, except, note }),
    ...(other !== undefined && {
      tab: isElsewhere ? 'this folder' : 'other folders',
      onTab: (typed: string) => turn({ filter: typed }),
      onEmpty: () => turn({ isOnly: true, ...(filter === undefined ? {} : { filter }) }),
    }),
    filter,
  })
}
