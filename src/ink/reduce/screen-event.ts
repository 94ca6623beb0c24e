import type { AgentEvent } from '../../event.ts'
import type { InteractionId, MessageId, TaskId } from '../../id.ts'
import type { Interaction } from '../../interaction.ts'
import type { SecretEntry } from '../choices/secret-entry.ts'
import type { Syntax } from '../code/code-syntax.ts'
import type { Completion } from '../completion/completion.ts'
import type { Missed } from '../conversation/catching-up.ts'
import type { Panel } from '../panel/panel.ts'
import type { Picker } from '../picker/picker.ts'
import type { Search } from '../prompt/history-search.ts'
import type { Prompt, PromptText } from '../prompt/prompt.ts'
import type { Asker, Question } from '../question/asked-question.ts'
import type { ThemeName } from '../rows/theme.ts'
import type { Entry, Queued, Size, Status, Waiting } from '../state.ts'
import type { View } from '../view/view.ts'

/** All events that change the screen: those of the agent, and those of the terminal, the user and the program. */
export type ScreenEvent =
  | { readonly type: 'agent'; readonly event: AgentEvent; readonly at: number }
  /** An event of an elf. */
  | { readonly type: 'elf'; readonly event: AgentEvent; readonly at: number }
  /** Any key was pressed. Does not redraw the screen. */
  | { readonly type: 'pressed'; readonly at: number }
  /** The keys of most use were asked for, or are no longer. */
  | { readonly type: 'keys_shown'; readonly isShown: boolean }
  /** The prompt was edited. */
  | {
      readonly type: 'edited'
      readonly prompt: Prompt
      readonly at: number
      /** The list for the word at the cursor, as far as it is known. */
      readonly completion?: Completion | undefined
    }
  /** A list of completions was made, or changed; absent: closed. */
  | { readonly type: 'completion'; readonly completion: Completion | undefined }
  /** The search in the history was opened or changed; absent: closed. */
  | { readonly type: 'searched'; readonly search: Search | undefined }
  /** The prompt was sent and becomes empty. */
  | { readonly type: 'sent'; readonly written: PromptText }
  /** Messages that the user wrote earlier were read, oldest first. */
  | { readonly type: 'remembered'; readonly written: readonly PromptText[] }
  /** A turn is about to run. Times are monotonic. */
  | { readonly type: 'begun'; readonly at: number }
  | { readonly type: 'queued'; readonly message: Queued }
  /** The queued message was delivered before it could be taken back. */
  | { readonly type: 'delivered'; readonly messageId: MessageId }
  /** A message that was not delivered goes back into the prompt, before its text. */
  | { readonly type: 'given_back'; readonly written: PromptText }
  /** The newest waiting message goes back into the prompt. */
  | { readonly type: 'taken_back' }
  /** The user stopped the turn. The screen shows it as ended while the engine still winds down. */
  | { readonly type: 'interrupted' }
  /** The turn is over without a `turn_end`. */
  | { readonly type: 'settled' }
  /** The messages that wait at the server, and whether it works. */
  | {
      readonly type: 'followed'
      readonly queued: readonly Queued[]
      readonly isBusy: boolean
      readonly at: number
    }
  /** The server told the whole conversation. */
  | { readonly type: 'caught_up'; readonly missed: Missed; readonly at: number }
  /** A task begins: nothing is sent before it ends. */
  | { readonly type: 'task_begun'; readonly doing: string; readonly at: number }
  /** A message is to be sent after the task. Its text is cleaned for display. */
  | { readonly type: 'postponed'; readonly waiting: Waiting }
  /** The task ended. Unless `isDone`, postponed messages return to the prompt. */
  | { readonly type: 'task_ended'; readonly isDone: boolean }
  /** A note from the program itself. */
  | { readonly type: 'noted'; readonly level: 'info' | 'error'; readonly text: string }
  /** A question from the program itself, or from somebody else than the conversation. */
  | { readonly type: 'asked'; readonly interaction: Interaction; readonly asker?: Asker }
  /** A question that the screen itself asks needs no answer any more. */
  | { readonly type: 'dismissed'; readonly question: InteractionId }
  /** The question of a task was answered elsewhere. */
  | { readonly type: 'withdrawn'; readonly task: TaskId }
  /** The first question was changed without being answered. */
  | { readonly type: 'considered'; readonly question: Question }
  | { readonly type: 'answered' }
  /** A list to choose from was opened or changed; absent: closed. */
  | { readonly type: 'picker'; readonly picker: Picker | undefined }
  /** A hidden line is asked for, or was changed; absent: no longer. */
  | { readonly type: 'secret'; readonly secret: SecretEntry | undefined }
  /** The board or the list of elves was opened or changed; absent: closed. */
  | { readonly type: 'panel'; readonly panel: Panel | undefined }
  /** A view of the whole screen was opened or changed; absent: closed. */
  | { readonly type: 'view'; readonly view: View | undefined }
  /** Esc was pressed at an idle, empty prompt. */
  | { readonly type: 'escaped'; readonly at: number }
  /** The prompt was emptied; its text goes into the history. */
  | { readonly type: 'cleared' }
  | { readonly type: 'quit_asked'; readonly at: number }
  | { readonly type: 'tick'; readonly now: number }
  /** The time for a second Ctrl+C is up. */
  | { readonly type: 'lapsed' }
  | { readonly type: 'resized'; readonly size: Size }
  /** The rows of the draft became part of the transcript. */
  | { readonly type: 'draft_kept' }
  | { readonly type: 'status'; readonly status: Partial<Status> }
  /** A conversation was opened; `entries` are its transcript so far, `answers` the model's last replies. */
  | {
      readonly type: 'opened'
      readonly entries: readonly Entry[]
      readonly answers?: readonly string[]
      readonly status: Status
    }
  /** The highlighter of code is loaded. */
  | { readonly type: 'syntax_loaded'; readonly syntax: Syntax }
  /** Other colours were chosen, or found out. Finished rows keep theirs. */
  | { readonly type: 'theme'; readonly theme: ThemeName }
  /** The prompt gets the keys of vim, or its usual ones. */
  | { readonly type: 'editor'; readonly isVim: boolean }
  /** The terminal was handed to the shell or came back. */
  | { readonly type: 'away'; readonly isAway: boolean }
  /** The user quit: only the transcript stays. */
  | { readonly type: 'left' }
  /** The screen was drawn, and the store has taken the finished entries. */
  | { readonly type: 'shown'; readonly at: number }
