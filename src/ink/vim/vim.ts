import type { Changes } from '../prompt/changes.ts'
import type { Paste, PromptText } from '../prompt/prompt.ts'
import type { VimCommand } from './vim-command.ts'

/** The mode of a prompt with vim keys. */
export type VimMode = 'insert' | 'normal' | 'visual' | 'visual_line'

/** The state of vim keys in a prompt. */
export interface Vim {
  readonly mode: VimMode
  /** The keys of a command that is not complete yet. */
  readonly pending: string
  /** In a visual mode: the end of the selection that stays. */
  readonly anchor: number
  /** The text deleted or yanked last. */
  readonly register: Register
  /** The last search of a character in a line. */
  readonly find: Find | undefined
  /** The change that `.` repeats. */
  readonly change: Repeatable | undefined
  /** The way into the insert mode; absent if the prompt began in it. */
  readonly insertion: Insertion | undefined
}

/** A text to put, and whether it is of whole lines. Its last line has no line break at the end. */
export interface Register extends PromptText {
  readonly isLines: boolean
}

/** A search with `f`, `F`, `t` or `T`. */
export interface Find {
  readonly name: 'f' | 'F' | 't' | 'T'
  readonly character: string
}

/** A change that can be made again elsewhere. */
export interface Repeatable {
  readonly command: VimCommand
  /** The text written in the insert mode that it began. */
  readonly inserted: PromptText | undefined
  /** The size of the selection that it changed. */
  readonly selected: Extent | undefined
}

/** The size of a selection: how many lines, and how many characters of the last one. */
export interface Extent {
  readonly lines: number
  readonly characters: number
  readonly isLines: boolean
}

/** A draft before a change. */
export interface Before {
  readonly text: string
  readonly cursor: number
  readonly pastes: readonly Paste[]
  readonly changes: Changes
}

/** An insert mode that a command began. */
export interface Insertion {
  /** The command, how often its text is to be there, and the selection that it changed. */
  readonly change: Repeatable
  readonly times: number
  /** Whether each time begins a line. */
  readonly opensLines: boolean
  /** The draft before the command: undoing goes back to it. */
  readonly before: Before
  /** The text and the cursor when the insert mode began. */
  readonly text: string
  readonly cursor: number
}

/** The keys of a new prompt: those of the insert mode. */
export const newVim: Vim = {
  mode: 'insert',
  pending: '',
  anchor: 0,
  register: { text: '', pastes: [], isLines: false },
  find: undefined,
  change: undefined,
  insertion: undefined,
}

/** Returns the state for an empty prompt, as a shell begins each line: in the insert mode. */
export function vimOfNewPrompt(vim: Vim): Vim {
  const { register, find, change } = vim
  return { ...newVim, register, find, change }
}

const labels: Readonly<Record<VimMode, string>> = {
  insert: 'INSERT',
  normal: 'NORMAL',
  visual: 'VISUAL',
  visual_line: 'V-LINE',
}

/** Returns the mode as the status line shows it, with the keys of a command that is not complete. */
export function vimLabel({ mode, pending }: Vim): string {
  return pending === '' ? labels[mode] : `${labels[mode]} ${pending}`
}

/** Whether keys are commands, not text. */
export function isCommanding(vim: Vim | undefined): vim is Vim {
  return vim !== undefined && vim.mode !== 'insert'
}

export function isVisual({ mode }: Vim): boolean {
  return mode === 'visual' || mode === 'visual_line'
}
