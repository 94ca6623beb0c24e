import type { Clock } from '../../clock.ts'
import type { GoToOptions } from '../../conversation.ts'
import { throwIfAborted } from '../../error.ts'
import type { ConversationView, FrontendApi, TreeMessage } from '../../frontend/conversation-view.ts'
import { formatAge } from '../../frontend/words/age.ts'
import { counted } from '../../frontend/words/amount.ts'
import {
  arrivalNote,
  destination,
  isRewindable,
  treeMessageLine,
} from '../../frontend/words/tree-message-line.ts'
import type { PickerItem } from '../picker/picker-item.ts'
import type { Picking } from '../picker/picking.ts'
import { asPasted } from '../prompt/prompt.ts'
import type { Store } from '../store.ts'
import type { Tasks } from '../tasks.ts'

export interface RewindOptions {
  readonly store: Store
  readonly clock: Clock
  readonly api: FrontendApi
  readonly tasks: Tasks
  readonly picking: Picking
  /** Ends the current turn. */
  readonly leave: () => Promise<void>
  /** Shows the conversation and continues it. */
  readonly arrive: (view: ConversationView) => void
}

/** A way to go to a message, as the user chooses it. */
interface Way extends Omit<GoToOptions, 'signal'> {
  readonly label: string
}

const ways: readonly Way[] = [
  { label: 'conversation and files', what: 'both' },
  { label: 'conversation only', what: 'conversation' },
  { label: 'files only', what: 'files' },
  { label: 'conversation, with a summary of what is left', what: 'conversation', isSummarised: true },
]

/** Lets the user go to other messages of the conversation. */
export class Rewind {
  readonly #options: RewindOptions

  constructor(options: RewindOptions) {
    this.#options = options
  }

  /** Lists the user's messages of the current branch, newest first, to go back to before one of them. Throws `conflict`. */
  rewind(filter?: string): Promise<void> {
    return this.#choose({
      title: 'Go back to before which message?',
      filter,
      order: (all) => all.filter(isRewindable).toReversed(),
      item: ({ text, turns = 0 }, age) => ({ label: text, facts: [age, turns === 0 ? '' : 'files'] }),
      ways,
      none: 'there is no message to go back to yet',
    })
  }

  /** Lists all messages of all branches, to go to one of them. Throws `conflict`. */
  tree(filter?: string): Promise<void> {
    return this.#choose({
      title: 'Go to which message?',
      filter,
      order: (all) => all,
      item: (place, age) => ({ label: treeMessageLine(place), facts: [age] }),
      ways: ways.filter(({ what }) => what === 'conversation'),
      none: 'there is no message to go to yet',
    })
  }

  async #choose({ title, filter, order, item, ways, none }: MessageChoice): Promise<void> {
    const { api, tasks, picking, clock } = this.#options
    const list = api.messageTree?.bind(api)
    if (list === undefined) return
    tasks.requireIdle()
    let listed: readonly TreeMessage[] = []
    const items = async function* (): AsyncGenerator<PickerItem, undefined, undefined> {
      const all = await list()
      listed = order(all)
      const newest = all.findLast((place) => place.isCurrent && listed.includes(place))
      for (const place of listed) {
        const { messageId: id, timestamp } = place
        yield { id, ...item(place, formatAge(timestamp, clock.now())), isFocused: place === newest }
      }
    }
    const onChosen = (id: string) => {
      const place = listed.find(({ messageId }) => messageId === id)
      return place === undefined ? undefined : this.#chooseWay(place, ways)
    }
    await picking.open({ title, filter, keepsOrder: true, items: items(), none, onChosen })
  }

  #chooseWay(place: TreeMessage, ways: readonly Way[]): Promise<void> {
    const { turns = 0 } = place
    const possible = ways.filter(({ what }) => turns > 0 || what === 'conversation')
    return this.#options.picking.open({
      title: `Go ${destination(place)}`,
      items: possible.map(({ label, what }) => ({
        id: label,
        label,
        facts: [what === 'conversation' ? '' : `changed by ${counted(turns, 'turn')}`],
      })),
      none: '',
      onChosen: (chosen) => {
        const way = possible.find(({ label }) => label === chosen)
        return way === undefined ? undefined : this.#go(place, way)
      },
    })
  }

  #go(place: TreeMessage, { what, isSummarised = false }: Way): Promise<void> {
    const { store, api, tasks, leave, arrive } = this.#options
    return tasks.run({
      doing: 'going back',
      stoppedNote: 'stopped: the conversation stays where it was',
      work: async (signal) => {
        await leave()
        throwIfAborted(signal)
        const arrival = await api.goTo?.(place.messageId, { what, isSummarised, signal })
        const { view, text, report } = arrival ?? {}
        if (view !== undefined) arrive(view)
        if (text !== undefined) store.dispatch({ type: 'given_back', written: asPasted(text) })
        const went = view === undefined ? undefined : arrivalNote(place)
        const told = [report, went].filter((note) => note !== undefined)
        return told.length === 0 ? undefined : told.join('\n')
      },
    })
  }
}

interface MessageChoice {
  readonly title: string
  readonly filter: string | undefined
  /** Chooses and orders the places to list. */
  readonly order: (all: readonly TreeMessage[]) => readonly TreeMessage[]
  readonly item: (place: TreeMessage, age: string) => Pick<PickerItem, 'label' | 'facts'>
  readonly ways: readonly Way[]
  /** Error to report if no place is listed. */
  readonly none: string
}
