import { graphemes } from './columns.ts'
import type { Key } from './keys.ts'

/** The text the user wrote, with long pastes as placeholders. */
export interface Written {
  readonly text: string
  /** The text behind each placeholder. */
  readonly pastes: readonly Paste[]
}

/** The draft the user is writing. */
export interface Prompt extends Written {
  /** Index in the text at which the next character is inserted. */
  readonly cursor: number
  /** Sent messages, oldest first. */
  readonly history: readonly Written[]
  /** Position of the text in the history, with the draft from before the recall. */
  readonly recalled: { readonly index: number; readonly draft: Written } | undefined
}

export interface Paste {
  readonly placeholder: string
  readonly text: string
}

export const emptyPrompt: Prompt = { text: '', cursor: 0, pastes: [], history: [], recalled: undefined }

/** A paste of more lines or characters is shown as a placeholder. */
const shownPasteLines = 5
const shownPasteLength = 1_000

/** Returns the prompt after a key; `undefined` for a key that edits nothing. */
export function editPrompt(prompt: Prompt, key: Key): Prompt | undefined {
  switch (key.type) {
    case 'text':
      // So much text at once is a paste that the terminal did not mark.
      return key.text.length > shownPasteLength ? paste(prompt, key.text) : insertText(prompt, key.text)
    case 'paste':
      return paste(prompt, key.text)
    default:
      return edits[key.name]?.(prompt)
  }
}

/** Returns the text to send, with each paste in its place. */
export function promptText({ text, pastes }: Written): string {
  return pastes.reduce((whole, one) => whole.replace(one.placeholder, () => one.text), text)
}

/** Returns a text as if it had been pasted: a long one becomes a placeholder. */
export function asPasted(text: string): Written {
  const { text: shown, pastes } = paste(emptyPrompt, text)
  return { text: shown, pastes }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Returns the text with control and bidi characters, which a paste may hold, replaced. Has the length of the original. */
export function shownText({ text }: Prompt): string {
  return text.replace(unprintable, '\ufffd')
}

/** Empties the prompt and adds the written text to the history, unless it is blank or already the newest entry. */
export function clearPrompt({ history, ...prompt }: Prompt, { text, pastes }: Written = prompt): Prompt {
  const last = history.at(-1)
  const isKnown = last !== undefined && promptText(last) === promptText({ text, pastes })
  return { ...emptyPrompt, history: text.trim() === '' || isKnown ? history : [...history, { text, pastes }] }
}

/** Replaces the text of the prompt and puts the cursor at its end. */
function writePrompt(prompt: Prompt, { text, pastes }: Written): Prompt {
  return { ...prompt, text, pastes, cursor: text.length, recalled: undefined }
}

/** Puts sent messages back into the prompt, before its text, and removes them from the history. */
export function giveBack(prompt: Prompt, sent: readonly Written[]): Prompt {
  if (sent.length === 0) return prompt
  const { text, pastes } = prompt
  const all = [...sent, ...(text === '' ? [] : [{ text, pastes }])]
  const written = all.reduce((before, after) => join(before, after))
  const history = prompt.history.filter((one) => !sent.some((back) => promptText(back) === promptText(one)))
  return writePrompt({ ...prompt, history }, written)
}

/** Joins two texts with a line break. Renumbers placeholders of the second that the first has too. */
function join(first: Written, second: Written): Written {
  const pastes = [...first.pastes]
  let below = second.text
  for (const { placeholder, text } of second.pastes) {
    const free = freePlaceholder(placeholder.slice(1, -1).replace(/ #\d+$/, ''), pastes)
    below = below.replace(placeholder, () => free)
    pastes.push({ placeholder: free, text })
  }
  return { text: `${first.text}\n${below}`, pastes }
}

/** Replaces a backslash before the cursor with a line break; `undefined` if there is none. */
export function breakAtBackslash(prompt: Prompt): Prompt | undefined {
  const { text, cursor } = prompt
  if (text[cursor - 1] !== '\\') return undefined
  return insertText(
    { ...prompt, text: text.slice(0, cursor - 1) + text.slice(cursor), cursor: cursor - 1 },
    '\n',
  )
}

const edits: Readonly<Record<string, (prompt: Prompt) => Prompt>> = {
  left: (prompt) => ({ ...prompt, cursor: before(prompt) }),
  right: (prompt) => ({ ...prompt, cursor: after(prompt) }),
  'ctrl+b': (prompt) => ({ ...prompt, cursor: before(prompt) }),
  'ctrl+f': (prompt) => ({ ...prompt, cursor: after(prompt) }),
  home: (prompt) => ({ ...prompt, cursor: lineStart(prompt) }),
  end: (prompt) => ({ ...prompt, cursor: lineEnd(prompt) }),
  'ctrl+a': (prompt) => ({ ...prompt, cursor: lineStart(prompt) }),
  'ctrl+e': (prompt) => ({ ...prompt, cursor: lineEnd(prompt) }),
  'alt+b': (prompt) => ({ ...prompt, cursor: wordStart(prompt) }),
  'alt+f': (prompt) => ({ ...prompt, cursor: wordEnd(prompt) }),
  'ctrl+left': (prompt) => ({ ...prompt, cursor: wordStart(prompt) }),
  'ctrl+right': (prompt) => ({ ...prompt, cursor: wordEnd(prompt) }),
  backspace: (prompt) => remove(prompt, before(prompt), prompt.cursor),
  delete: (prompt) => remove(prompt, prompt.cursor, after(prompt)),
  'ctrl+w': (prompt) => remove(prompt, wordStart(prompt), prompt.cursor),
  'alt+backspace': (prompt) => remove(prompt, wordStart(prompt), prompt.cursor),
  'ctrl+u': (prompt) => remove(prompt, lineStart(prompt), prompt.cursor),
  'ctrl+k': (prompt) => {
    const end = lineEnd(prompt)
    return remove(prompt, prompt.cursor, end === prompt.cursor ? after(prompt) : end)
  },
  'ctrl+j': (prompt) => insertText(prompt, '\n'),
  'shift+enter': (prompt) => insertText(prompt, '\n'),
  up: (prompt) => (isAtTop(prompt) ? recall(prompt, -1) : moveLine(prompt, -1)),
  down: (prompt) => (lineEnd(prompt) === prompt.text.length ? recall(prompt, 1) : moveLine(prompt, 1)),
}

/** Inserts text at the cursor. */
export function insertText(prompt: Prompt, added: string): Prompt {
  const { text, cursor } = prompt
  return {
    ...prompt,
    text: text.slice(0, cursor) + added + text.slice(cursor),
    cursor: cursor + added.length,
  }
}

function paste(prompt: Prompt, text: string): Prompt {
  const count = text.replace(/\n$/, '').split('\n').length
  if (count <= shownPasteLines && text.length <= shownPasteLength) return insertText(prompt, text)
  const size = count > shownPasteLines ? `${count} lines` : `${text.length} characters`
  const placeholder = freePlaceholder(`pasted ${size}`, prompt.pastes)
  return insertText({ ...prompt, pastes: [...prompt.pastes, { placeholder, text }] }, placeholder)
}

function freePlaceholder(name: string, pastes: readonly Paste[]): string {
  const alike = pastes.filter(({ placeholder }) => placeholder.startsWith(`[${name}`)).length
  return `[${name}${alike === 0 ? '' : ` #${alike + 1}`}]`
}

function remove(prompt: Prompt, start: number, end: number): Prompt {
  return { ...prompt, text: prompt.text.slice(0, start) + prompt.text.slice(end), cursor: start }
}

/** Returns the start of the character before the cursor; a placeholder counts as one. */
function before({ text, cursor, pastes }: Prompt): number {
  const placeholder = pastes.find((one) => text.endsWith(one.placeholder, cursor))?.placeholder
  if (placeholder !== undefined) return cursor - placeholder.length
  const window = text.slice(Math.max(0, cursor - 64), cursor)
  return cursor - (graphemes(window).at(-1)?.length ?? 0)
}

function after({ text, cursor, pastes }: Prompt): number {
  const placeholder = pastes.find((one) => text.startsWith(one.placeholder, cursor))?.placeholder
  return cursor + (placeholder ?? graphemes(text.slice(cursor, cursor + 64))[0] ?? '').length
}

function lineStart({ text, cursor }: Prompt): number {
  return cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1
}

function lineEnd({ text, cursor }: Prompt): number {
  const end = text.indexOf('\n', cursor)
  return end < 0 ? text.length : end
}

function wordStart({ text, cursor }: Prompt): number {
  const head = text.slice(0, cursor).trimEnd()
  return Math.max(head.lastIndexOf(' '), head.lastIndexOf('\n')) + 1
}

function wordEnd({ text, cursor }: Prompt): number {
  return cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0)
}

/** Whether the cursor is in the first line, from which Up recalls the history. */
export function isAtTop(prompt: Prompt): boolean {
  return lineStart(prompt) === 0
}

function moveLine(prompt: Prompt, by: -1 | 1): Prompt {
  const start = lineStart(prompt)
  const column = prompt.cursor - start
  const other = { ...prompt, cursor: by < 0 ? start - 1 : lineEnd(prompt) + 1 }
  const otherStart = lineStart(other)
  return { ...prompt, cursor: Math.min(otherStart + column, lineEnd(other)) }
}

function recall(prompt: Prompt, by: -1 | 1): Prompt {
  const { history, recalled } = prompt
  const index = (recalled?.index ?? history.length) + by
  if (index < 0 || index > history.length) return prompt
  const { text, pastes } = prompt
  const draft = recalled?.draft ?? { text, pastes }
  if (index === history.length) return writePrompt(prompt, draft)
  return { ...writePrompt(prompt, history[index] ?? draft), recalled: { index, draft } }
}
