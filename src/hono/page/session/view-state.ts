import type { Question } from '../wire/page-question.ts'
import type { OpenCall, PageElf } from './page-entry.ts'
import { noReply, type PageReply } from './reply-segments.ts'
import type { Sheet } from './sheet.ts'

/** A session as the page shows it. */
export interface SessionView {
  /** Whether anything of it was read. */
  readonly isLoaded: boolean
  readonly isRunning: boolean
  readonly transcript: Sheet | undefined
  readonly reply: PageReply
  readonly calls: readonly OpenCall[]
  readonly elves: readonly PageElf[]
  readonly questions: readonly Question[]
  readonly queue: readonly QueuedText[]
  readonly costUsd: number | undefined
  /** The questions that this page answers or has answered. */
  readonly answered: readonly string[]
}

/** A message of the user that waits. */
export interface QueuedText {
  readonly id: string
  readonly text: string
  /** It waits for the end of the turn, not only for the next results. */
  readonly isLater: boolean
}

export const emptyView: SessionView = {
  isLoaded: false,
  isRunning: false,
  transcript: undefined,
  reply: noReply,
  calls: [],
  elves: [],
  questions: [],
  queue: [],
  costUsd: undefined,
  answered: [],
}
