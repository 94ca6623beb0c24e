import { mentionOf } from '../../frontend/mentions.ts'
import { type Prompt, replaceText } from '../prompt/prompt.ts'
import type { Screen } from '../state.ts'
import type { CompletionWord } from './completion-word.ts'

/** A text that can take the place of a word. */
export interface CompletionItem {
  /** The text as shown: a command with its slash, a value of an argument, a path. Clean for the screen. */
  readonly label: string
  /** Characters of the label that the word matches, as ascending indexes. */
  readonly matched: readonly number[]
  /** A description, in one row and clean for the screen. */
  readonly help?: string | undefined
  /** The text to insert. Default: the label. */
  readonly text?: string
}

/** A list of completions for the word at the cursor. */
export interface Completion {
  readonly word: CompletionWord
  /** The whole text of the prompt for which the list was made: the list holds for no other. */
  readonly of: string
  /** The best first. */
  readonly items: readonly CompletionItem[]
  readonly focus: number
  /** Whether the user has moved the focus. */
  readonly isMoved: boolean
  /** Whether Enter sends the line as it is written. */
  readonly isComplete: boolean
}

/** Returns the list that is shown: one for the draft as it is, while nothing else takes its place. */
export function shownCompletion(screen: Screen): Completion | undefined {
  const { completion, prompt, questions, picker, panel, search } = screen
  if (completion === undefined || completion.items.length === 0) return undefined
  if (questions.length > 0 || search !== undefined) return undefined
  if (picker !== undefined || panel !== undefined) return undefined
  return completion.of === prompt.text && isAt(completion.word, prompt) ? completion : undefined
}

function isAt({ start, end }: CompletionWord, { cursor }: Prompt): boolean {
  return cursor >= start && cursor <= end
}

/** Moves the focus by a number of items, and from one end to the other. */
export function moveCompletion(completion: Completion, by: number): Completion {
  const { length } = completion.items
  return { ...completion, focus: (completion.focus + by + length) % length, isMoved: true }
}

/** Puts the focused item in the place of the word. */
export function takeCompletion({ word, items, focus }: Completion, prompt: Prompt): Prompt {
  const item = items[focus]
  if (item === undefined) return prompt
  const { text, back } = item.text === undefined ? written(word, item.label) : { text: item.text, back: 0 }
  // The space that is there already is enough.
  const end = text.endsWith(' ') && prompt.text.startsWith(' ', word.end) ? word.end + 1 : word.end
  const taken = replaceText(prompt, { start: word.start, end, added: text })
  return { ...taken, cursor: taken.cursor - back }
}

/** Returns the text to insert, and how far before its end the cursor stands. */
function written(word: CompletionWord, text: string): { readonly text: string; readonly back: number } {
  if (word.type !== 'file') return { text, back: 0 }
  const mention = mentionOf(text) ?? `@${text}`
  if (!text.endsWith('/')) return { text: `${mention} `, back: 0 }
  // The cursor stays inside of the quotes, so that the files of the folder come next.
  return { text: mention, back: /["']$/.test(mention) ? 1 : 0 }
}
