import type { TaskView } from '../../task.ts'
import type { DrawContent } from '../question/question-content.ts'

/** A list that the user opened in place of the prompt, and the page opened from it. */
export type Panel = TaskList | ElfList

interface Position {
  /** Position of the focused row. */
  readonly focus: number
  /** The page of the focused row, if it is open. */
  readonly page: Page | undefined
  /** The act that waits for a confirmation. */
  readonly confirming: Verb | undefined
}

/** The board of tasks. */
export interface TaskList extends Position {
  readonly type: 'tasks'
  /** In the order of their rows. */
  readonly tasks: readonly TaskView[]
  /** Counts of them in words. */
  readonly summary: string
  readonly isLoading: boolean
  /** Milliseconds from 1970 to the start of the monotonic clock. */
  readonly epoch: number
  /** Acts that this program can do to tasks. */
  readonly verbs: ReadonlySet<Verb>
}

/** The elves of the conversation, which the screen holds. */
export interface ElfList extends Position {
  readonly type: 'elves'
}

export interface Page {
  readonly type: 'details' | 'diff'
  /** Draws its content. Absent: the screen holds it. */
  readonly draw?: DrawContent
  /** First visible row. */
  readonly offset: number
}

/** An act on the focused row. */
export type Verb = 'open' | 'answer' | 'diff' | 'apply' | 'cancel' | 'stop'

/** A key that acts on the focused row. */
export interface Offer {
  readonly keys: readonly string[]
  readonly verb: Verb
  /** Explains the key, as in `c cancels`. Empty if another hint does. */
  readonly hint: string
  /** The question to confirm with `y`. Absent: the key acts at once. */
  readonly confirm?: string
}
