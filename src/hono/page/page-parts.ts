import { createContext, useContext } from 'react'
import type { Clock } from '../../clock.ts'
import type { NewId } from '../../id.ts'
import type { Drafts } from './drafts.ts'
import type { PageFile } from './files/page-file.ts'
import type { Lists } from './lists.ts'
import type { QuestionNotices } from './question-notices.ts'
import type { NextFrame, Store } from './store.ts'
import type { Colouring } from './transcript/colouring.ts'
import type { Wakes } from './wakes.ts'
import type { Api } from './wire/api.ts'

/** Everything that the views of the page share. `main` makes it. */
export interface PageParts {
  readonly api: Api
  readonly clock: Clock
  readonly newId: Pick<NewId, 'message'>
  readonly drafts: Drafts
  readonly lists: Store<Lists>
  readonly wakes: Wakes
  readonly notices: QuestionNotices
  readonly nextFrame: NextFrame
  /** Loads the colours of code when they are first needed. */
  colouring(): Promise<Colouring>
  /** Reads a file that goes with a message. Throws an `Error` in words for the user. */
  readFile(file: File): Promise<PageFile>
  /** Whether Enter sends: there is a keyboard, and no thumb on glass. */
  readonly hasKeyboard: boolean
}

export const PageContext = createContext<PageParts | undefined>(undefined)

export function usePage(): PageParts {
  const parts = useContext(PageContext)
  if (parts === undefined) throw new Error('a view is drawn outside of the page')
  return parts
}
