import type { AgentEvent } from '../event.ts'
import type { MessageId } from '../id.ts'
import type { Interaction } from '../interaction.ts'
import type { Prompt, Written } from './prompt.ts'
import type { Question } from './question.ts'
import type { Entry, Queued, Size, Status, Waiting } from './state.ts'

/** All that can change the screen: what the agent does, and what happens on this side of it. */
export type ScreenEvent =
  | { readonly type: 'agent'; readonly event: AgentEvent; readonly at: number }
  /** A key, whatever it means. Nothing is shown for it. */
  | { readonly type: 'pressed'; readonly at: number }
  /** The prompt after an edit. */
  | { readonly type: 'edited'; readonly prompt: Prompt; readonly at: number }
  /** The prompt was sent; it is empty now. */
  | { readonly type: 'sent'; readonly written: Written }
  /** A turn is about to run. Times are of the monotonic clock. */
  | { readonly type: 'begun'; readonly at: number }
  | { readonly type: 'queued'; readonly message: Queued }
  /** The message was said before it could be taken back. */
  | { readonly type: 'delivered'; readonly messageId: MessageId }
  /** The newest of what waits is in the prompt again. */
  | { readonly type: 'taken_back' }
  /** The person stopped the turn: it is over for them, whatever still winds down behind it. */
  | { readonly type: 'interrupted' }
  /** The turn is over without an end of its own. */
  | { readonly type: 'settled' }
  /** Work that is no turn begins: nothing is sent before it ends. */
  | { readonly type: 'errand_begun'; readonly doing: string; readonly at: number }
  /** This is to be sent when it has ended: cleaned, to be shown. */
  | { readonly type: 'postponed'; readonly waiting: Waiting }
  /** Where it was not done, what was to be sent goes back to the prompt. */
  | { readonly type: 'errand_ended'; readonly isDone: boolean }
  /** A line of the program itself. */
  | { readonly type: 'noted'; readonly level: 'info' | 'error'; readonly text: string }
  /** A question of the program itself. */
  | { readonly type: 'asked'; readonly interaction: Interaction }
  /** The first question, after something in it moved. */
  | { readonly type: 'considered'; readonly question: Question }
  | { readonly type: 'answered' }
  /** The prompt is empty, and what it held in the history. */
  | { readonly type: 'cleared' }
  | { readonly type: 'quit_asked'; readonly at: number }
  | { readonly type: 'tick'; readonly now: number }
  /** It is too late for the second Ctrl+C. */
  | { readonly type: 'lapsed' }
  | { readonly type: 'resized'; readonly size: Size }
  /** The rows of the draft have become a part of the transcript. */
  | { readonly type: 'draft_kept' }
  | { readonly type: 'status'; readonly status: Partial<Status> }
  /** Another conversation: what was said in it before. */
  | { readonly type: 'opened'; readonly entries: readonly Entry[]; readonly status: Status }
  /** The shell has the terminal, or it is given back. */
  | { readonly type: 'away'; readonly isAway: boolean }
  /** The person has gone: only the transcript stays. */
  | { readonly type: 'left' }
  /** All that there was is shown: the store has taken what was finished. */
  | { readonly type: 'shown'; readonly at: number }
