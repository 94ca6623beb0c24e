import type { InteractionResponse } from '../../interaction.ts'
import type { SecretAction } from '../choices/secret-entry.ts'
import type { CompletionAction } from '../completion/completion-keys.ts'
import type { PanelAction } from '../panel/panel-keys.ts'
import type { PickerAction } from '../picker/picker-keys.ts'
import type { SearchAction } from '../prompt/history-search.ts'
import type { Prompt, PromptText } from '../prompt/prompt.ts'
import type { Question } from '../question/asked-question.ts'
import type { ViewAction } from '../view/view-keys.ts'

/** The action that a key triggers in its context. */
export type Action =
  | PickerAction
  | SecretAction
  | PanelAction
  | CompletionAction
  | SearchAction
  | ViewAction
  | { readonly type: 'edit'; readonly prompt: Prompt }
  /** A text was pasted; `prompt` is the draft with it, unless it stands for something else. */
  | { readonly type: 'paste'; readonly prompt: Prompt; readonly text: string }
  | { readonly type: 'submit'; readonly written: PromptText }
  /** Sends the text for a turn after the running one. */
  | { readonly type: 'submit_after'; readonly written: PromptText }
  /** Moves the newest waiting message back into the prompt. */
  | { readonly type: 'take_back' }
  | { readonly type: 'answer'; readonly response: InteractionResponse }
  /** Updates the open question without answering it. */
  | { readonly type: 'consider'; readonly question: Question }
  /** Opens the text of the call in question in the user's editor. */
  | { readonly type: 'revise' }
  | { readonly type: 'interrupt' }
  | { readonly type: 'cycle_mode' }
  /** Empties the prompt. */
  | { readonly type: 'clear' }
  | { readonly type: 'ask_quit' }
  | { readonly type: 'quit' }
  /** Suspends the process. */
  | { readonly type: 'suspend' }
  /** The first Esc of two. */
  | { readonly type: 'escape' }
  /** Lists messages to go back to. */
  | { readonly type: 'rewind' }
  /** Shows the output of ended calls. */
  | { readonly type: 'open_output' }
  /** Shows the model's thoughts. */
  | { readonly type: 'toggle_thoughts' }
  /** Switches to the next model. */
  | { readonly type: 'next_model' }
  /** Draws the screen again. */
  | { readonly type: 'redraw' }
  /** Shows the keys of most use, or hides them. */
  | { readonly type: 'show_keys'; readonly isShown: boolean }
  /** Attaches the image on the clipboard. */
  | { readonly type: 'paste_image' }
  /** Opens the draft in the user's editor. */
  | { readonly type: 'edit_outside' }
