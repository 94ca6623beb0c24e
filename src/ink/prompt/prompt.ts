import { counted, formatBytes } from '../../frontend/words/amount.ts'
import { type Vim, vimOfNewPrompt } from '../vim/vim.ts'
import { snapped } from './borders.ts'
import { addChange, type Changes, detached, noChanges } from './changes.ts'
import type { KillRing } from './kill-ring.ts'
import { adopted, expanded, freePlaceholder } from './placeholders.ts'

/** The text the user wrote, with long pastes as placeholders. */
export interface PromptText {
  readonly text: string
  /** The text behind each placeholder. */
  readonly pastes: readonly Paste[]
}

/** The draft the user is writing. */
export interface Prompt extends PromptText {
  /** Index in the text at which the next character is inserted; always between two characters. */
  readonly cursor: number
  /** Sent messages, oldest first. */
  readonly history: readonly PromptText[]
  readonly recalled: Recalled | undefined
  readonly changes: Changes
  /** Texts that were cut. */
  readonly kills: KillRing
  /** The last key, where it decides what the next one does. */
  readonly last: LastEdit | undefined
  /** Vim keys. Absent: the usual ones. */
  readonly vim?: Vim
}

/** The message of the history that was recalled into the prompt. */
export interface Recalled {
  /** Its index. The length of the history stands for the draft from before the recall. */
  readonly index: number
  /** By index, what was written there and left: edited messages, and the draft. */
  readonly left: ReadonlyMap<number, PromptText>
}

export type LastEdit =
  | { readonly type: 'typed' | 'deleted' }
  /** The text at `start` was cut. What stands there now may combine with what is before it. */
  | { readonly type: 'killed'; readonly start: number }
  /** A text of the kill ring was inserted from `start` to the cursor. */
  | { readonly type: 'yanked'; readonly start: number; readonly index: number }
  /** The cursor moved up or down, and returns to this column where a row has it. */
  | { readonly type: 'moved'; readonly goal: number }

export interface Paste {
  /** Stands for the text in the draft. Begins with `[`, ends with `]`, and counts as one character. */
  readonly placeholder: string
  readonly text: string
}

export const emptyPrompt: Prompt = {
  text: '',
  cursor: 0,
  pastes: [],
  history: [],
  recalled: undefined,
  changes: noChanges,
  kills: [],
  last: undefined,
}

/** Mark of the prompt, and of one that holds a shell command. Both have the same width. */
export const promptMark = '› '
export const shellMark = '! '

/** Whether the draft is a command for the shell, not a message. */
export function isShell({ text }: PromptText): boolean {
  return text.startsWith('!')
}

/** A paste of more lines or characters is shown as a placeholder. */
const shownPasteLines = 5
export const shownPasteLength = 1_000

/** Returns the text to send, with each paste in its place. */
export function sentText(written: PromptText): string {
  return expanded(written)
}

/** Returns a text as if it had been pasted: a long one becomes a placeholder. */
export function asPasted(text: string): PromptText {
  const { text: shown, pastes } = paste(emptyPrompt, text)
  return { text: shown, pastes }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Returns a text with control and bidi characters, which a paste may hold, replaced. Has the length of the original. */
export function shownText(text: string): string {
  return text.replace(unprintable, '\ufffd')
}

/**
 * Empties the prompt and adds the written text to the history, after what was left of other messages, unless it is blank or already the
 * newest entry. What was cut can still be put back.
 */
export function clearPrompt(
  { history, kills, recalled, ...prompt }: Prompt,
  { text, pastes }: PromptText = prompt,
): Prompt {
  const left = [...(recalled?.left ?? [])].toSorted(([a], [b]) => a - b).map(([, written]) => written)
  const added: PromptText[] = []
  for (const one of [...left, { text, pastes }]) {
    if (one.text.trim() !== '' && !isSame(one, added.at(-1) ?? history.at(-1))) added.push(one)
  }
  const empty = { ...emptyPrompt, kills, history: added.length === 0 ? history : [...history, ...added] }
  return prompt.vim === undefined ? empty : { ...empty, vim: vimOfNewPrompt(prompt.vim) }
}

/** Whether both are the same message once it is sent. */
export function isSame(a: PromptText, b: PromptText | undefined): boolean {
  return b !== undefined && sentText(a) === sentText(b)
}

/** Adds earlier messages before the history, except for those that it has. */
export function addEarlier(prompt: Prompt, earlier: readonly PromptText[]): Prompt {
  const known = new Set(prompt.history.map(sentText))
  const added: PromptText[] = []
  for (const written of earlier.toReversed()) {
    const text = sentText(written)
    if (!known.has(text)) added.push(written)
    known.add(text)
  }
  const { recalled } = prompt
  return {
    ...prompt,
    history: [...added.reverse(), ...prompt.history],
    recalled: recalled && {
      index: recalled.index + added.length,
      left: new Map(Array.from(recalled.left, ([index, written]) => [index + added.length, written])),
    },
  }
}

/** Replaces the whole text and puts the cursor at its end. */
export function writePrompt(prompt: Prompt, { text, pastes }: PromptText): Prompt {
  const { cursor, text: removed, pastes: before } = prompt
  const change = { at: 0, removed, added: text, cursor, pastes: { before, after: pastes } }
  const changes = addChange(prompt.changes, change, false)
  return { ...prompt, text, pastes, cursor: text.length, changes, last: undefined }
}

/** Puts sent messages back into the prompt, before its text, and removes them from the history. */
export function giveBack(prompt: Prompt, sent: readonly PromptText[]): Prompt {
  if (sent.length === 0) return prompt
  const { text, pastes } = prompt
  const all = [...sent, ...(text === '' ? [] : [{ text, pastes }])]
  const written = all.reduce((before, after) => {
    const below = adopted(before.pastes, after)
    return { text: `${before.text}\n${below.text}`, pastes: below.pastes }
  })
  const history = prompt.history.filter((one) => !sent.some((back) => sentText(back) === sentText(one)))
  return writePrompt({ ...prompt, history, recalled: undefined }, written)
}

/** Replaces a backslash before the cursor with a line break; `undefined` if there is none. */
export function breakAtBackslash(prompt: Prompt): Prompt | undefined {
  const { text, cursor } = prompt
  if (text[cursor - 1] !== '\\') return undefined
  return replaceText(prompt, { start: cursor - 1, end: cursor, added: '\n' })
}

/** Inserts text at the cursor. */
export function insertText(prompt: Prompt, added: string): Prompt {
  if (added === '') return prompt
  const { cursor } = prompt
  return replaceText(prompt, { start: cursor, end: cursor, added, last: { type: 'typed' } })
}

/** A replacement of the text between two indexes. */
export interface Replacement {
  readonly start: number
  readonly end: number
  readonly added: string
  readonly last?: LastEdit
  /** Default: as they were. */
  readonly pastes?: readonly Paste[]
}

/** Replaces a part of the text and puts the cursor behind it. */
export function replaceText(prompt: Prompt, { start, end, added, last, pastes }: Replacement): Prompt {
  const { text: before, cursor } = prompt
  const removed = detached(before.slice(start, end))
  const text = before.slice(0, start) + added + before.slice(end)
  const isSame = prompt.last?.type === last?.type
  const isJoined =
    isSame && (last?.type === 'deleted' || (last?.type === 'typed' && !beginsWord(before, start, added)))
  const change = { at: start, removed, added, cursor }
  const all = pastes ?? prompt.pastes
  const withPastes =
    pastes === undefined ? change : { ...change, pastes: { before: prompt.pastes, after: pastes } }
  return {
    ...prompt,
    text,
    pastes: all,
    cursor: snapped({ text, pastes: all }, start + added.length),
    changes: addChange(prompt.changes, withPastes, isJoined),
    last,
  }
}

/** Whether typed text begins a word, which is then undone by itself. */
function beginsWord(text: string, start: number, added: string): boolean {
  return /^\S/.test(added) && /\s/.test(text.charAt(start - 1))
}

/** Inserts a pasted text, or a placeholder for a long one. */
export function paste(prompt: Prompt, text: string): Prompt {
  const count = text.replace(/\n$/, '').split('\n').length
  if (count <= shownPasteLines && text.length <= shownPasteLength) return insertText(prompt, text)
  const size = `${counted(count, 'line')} · ${formatBytes(Buffer.byteLength(text))}`
  const placeholder = freePlaceholder(`pasted ${size}`, prompt.pastes)
  const { cursor, pastes } = prompt
  const added = { start: cursor, end: cursor, added: placeholder }
  return replaceText(prompt, { ...added, pastes: [...pastes, { placeholder, text }] })
}
