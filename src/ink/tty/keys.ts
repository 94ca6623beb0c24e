import type { Key } from './key.ts'
import { applicationKey, type OwnKeys, sequenceKey } from './key-sequence.ts'
import { type TerminalReply, withoutReplies } from './replies.ts'

export interface Decoded {
  readonly keys: readonly Key[]
  readonly replies: readonly TerminalReply[]
  /** The start of an incomplete sequence, to be prepended to the next bytes. */
  readonly pending: string
}

const pasteStart = '\u001b[200~'
const pasteEnd = '\u001b[201~'

/** Longest answer of a terminal in code units. */
const longestReply = 8_192
/** Longest clipboard that a terminal sends (OSC 52), in code units. Of a longer one nothing counts. */
const longestClipboard = 1_048_576
const clipboardStart = '\u001b]52;'
/** The start of a clipboard of which nothing counts. */
const cutClipboard = `${clipboardStart}!`

/**
 * Decodes terminal input; `pending` comes from the previous call. A tab among other keys is text: terminals without bracketed paste
 * send pasted indents that way, and a tab that arms a question comes alone. `own`: the keys that only this terminal has.
 */
export function decodeKeys(pending: string, input: string, own?: OwnKeys): Decoded {
  const { keys, ...decoded } = decodeAll(pending, input, own)
  return { keys: keys.length > 1 ? keys.map(asIndent) : keys, ...decoded }
}

function asIndent(key: Key): Key {
  return key.type === 'press' && key.name === 'tab' ? { type: 'text', text: '\t' } : key
}

function decodeAll(pending: string, input: string, own?: OwnKeys): Decoded {
  // Everything before an end mark was pasted, even if the paste was given up before.
  const isCut = !isPaste(pending) && endsPaste(input)
  let rest = (isCut ? pasteStart : '') + pending + input
  const keys: Key[] = []
  const replies: TerminalReply[] = []
  // The end mark of a long paste is not in what was searched before.
  let searched = Math.max(0, pending.length - pasteEnd.length)
  while (rest !== '') {
    if (rest.startsWith(pasteStart)) {
      const end = rest.indexOf(pasteEnd, searched)
      if (end < 0) return { keys, replies, pending: rest }
      // The rest of the same chunk counts as clipboard text: an end mark inside a paste must not begin commands.
      const { text, replies: between } = withoutReplies(rest)
      const pasted = pastedText(text)
      if (pasted !== '' || !isCut) keys.push({ type: 'paste', text: pasted })
      return { keys, replies: [...replies, ...between], pending: '' }
    }
    const [taken, key] = next(rest, own)
    if (taken === 0) return { keys, replies, pending: bounded(rest) }
    if (key?.type === 'reply') replies.push(key)
    else if (key !== undefined) keys.push(key)
    rest = rest.slice(taken)
    searched = 0
  }
  return { keys, replies, pending: '' }
}

function bounded(pending: string): string {
  return isClipboard(pending) && pending.length > longestClipboard ? withoutClipboard(pending) : pending
}

/** Whether pending input is the beginning of the terminal's clipboard. */
export function isClipboard(pending: string): boolean {
  return pending.startsWith(clipboardStart)
}

/** Drops what has arrived of a clipboard, so that its rest is passed over up to its end. */
export function withoutClipboard(pending: string): string {
  return pending.endsWith('\u001b') ? `${cutClipboard}\u001b` : cutClipboard
}

/** Whether input can be the rest of a clipboard that stopped arriving. Nobody types so much at once. */
export function isRestOfClipboard(input: string): boolean {
  return restOfClipboard.test(input)
}

/** Decodes pending input that no more bytes follow: each of its escape characters is the Esc key. Drops half a sequence. */
export function flushKeys(pending: string): readonly Key[] {
  if (isEscapes(pending)) return Array.from(pending, () => press('esc'))
  if (isPaste(pending)) return flushPaste(pending)
  const [, character] = introducer.exec(pending) ?? []
  return character === undefined ? [] : [altKey(character)]
}

/** Whether pending input may be the Esc key, once or more: over a network, two presses may arrive together. */
export function isEscapes(pending: string): boolean {
  return pending !== '' && pending.replaceAll('\u001b', '') === ''
}

/** Whether pending input is a paste, which may take its time. */
export function isPaste(pending: string): boolean {
  return pending.startsWith(pasteStart)
}

/** Whether input is nothing but Esc or Ctrl+C, which end a paste too. An escape character alone may begin its end mark. */
export function isWayOut(input: string): boolean {
  const { keys, pending } = decodeKeys('', input)
  const isStop = (key: Key) => key.type === 'press' && (key.name === 'esc' || key.name === 'ctrl+c')
  return pending === '' && keys.length > 0 && keys.every(isStop)
}

/** Reads a paste without an end mark. Keys that stop a turn are not part of its text. */
function flushPaste(pending: string): readonly Key[] {
  const [keys = ''] = stops.exec(pending) ?? []
  const text = pastedText(pending.slice(0, pending.length - keys.length))
  const stopped = decodeKeys('', keys)
  return [
    ...(text === '' ? [] : [{ type: 'paste', text } as const]),
    ...stopped.keys,
    ...flushKeys(stopped.pending),
  ]
}

/** Whether input holds the end mark of a paste that began earlier. */
function endsPaste(input: string): boolean {
  const end = input.indexOf(pasteEnd)
  const start = input.indexOf(pasteStart)
  return end >= 0 && (start < 0 || start > end)
}

/** Returns what was pasted, line ends as `\n`. Some terminals send each CR LF as two CRs: if all line ends come in pairs, a pair is one. */
export function pastedText(raw: string): string {
  const text = raw.replaceAll(pasteStart, '').replaceAll(pasteEnd, '')
  const ends = text.match(/[\r\n]+/g) ?? []
  return text.replace(ends.every((end) => /^(?:\r\r)+$/.test(end)) ? /\r\r/g : /\r\n?/g, '\n')
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: keys are sent as control sequences
const csi = /^\u001b\[([\d;:?<>=!]*)([ -/]*)([@-~])/
/** The form of the Linux console for F1 to F5. */
const consoleKey = /^\u001b\[\[([A-E])/
/** The form of rxvt for numbered keys with Shift, which ends in an intermediate character. */
const rxvtKey = /^\u001b\[(\d{1,2})\$/
const unfinished = /^\u001b(\[[\d;:?<>=!]*[ -/]*|\[\[|O|P|\])?$/
const introducer = /^\u001b([[O\]P])$/
/** A string from the terminal, such as a colour: `ESC ]` and a number, or `ESC P`, up to BEL or ST; other escapes cancel it. */
const said =
  /^\u001b(?:\]\d|P[\d;>!?$+])[^\u0007\u001b\u0018\u001a]*(\u0007|\u001b\\|[\u0018\u001a]|(?=\u001b[^\\]))/
const saying = /^\u001b(?:\]\d|P[\d;>!?$+])[^\u0007\u001b\u0018\u001a]*\u001b?$/
const restOfClipboard = /^[A-Za-z\d+/=]*(?:\u0007|\u001b\\)|^[A-Za-z\d+/=]{16,}\u001b?$/
/** Ctrl+C and Esc at the end of a paste, and half an end mark. */
const stops = /(?:\u0003|\u001b\[[\d:;]*u|\u001b)*(?:\u001b\[2?0?1?)?$/
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above

/** Ends of a string that was not cancelled: BEL, ST. */
const ends: ReadonlySet<string> = new Set(['\u0007', '\u001b\\'])

/** Reads the first key or reply and its length, 0 if it is incomplete. Returns no key for an unknown sequence. */
function next(input: string, own?: OwnKeys): readonly [taken: number, key?: Key | TerminalReply] {
  const first = input.charAt(0)
  if (first !== '\u001b') return nextPlain(input, first)
  const [withShift, number = ''] = rxvtKey.exec(input) ?? []
  if (withShift !== undefined) return taking(withShift, sequenceKey(number, '$'))
  if (unfinished.test(input)) return [0]
  const [onConsole, letter = ''] = consoleKey.exec(input) ?? []
  if (onConsole !== undefined) return [onConsole.length, press(`f${letter.charCodeAt(0) - 64}`)]
  const [whole, parameters = '', between = '', final = ''] = csi.exec(input) ?? []
  if (whole !== undefined) {
    return taking(
      whole,
      isReply(parameters, between, final) ? reply(whole) : sequenceKey(parameters, final, own),
    )
  }
  const [text, end = ''] = said.exec(input) ?? []
  if (text !== undefined) return taking(text, ends.has(end) ? reply(text) : undefined)
  if (saying.test(input)) return input.length > longestReply && !isClipboard(input) ? [input.length] : [0]
  return nextAlt(input, own)
}

function taking(
  text: string,
  key: Key | TerminalReply | undefined,
): readonly [taken: number, key?: Key | TerminalReply] {
  return key === undefined ? [text.length] : [text.length, key]
}

function isReply(parameters: string, between: string, final: string): boolean {
  return (
    between !== '' ||
    /^[?<>=]/.test(parameters) ||
    (parameters === '' && /[IO]/.test(final)) ||
    /[nty]/.test(final) ||
    // The place of the cursor. In the first row it would be F3 with Shift, Alt or Ctrl.
    (final === 'R' && /^(?!1;)\d+;\d+$/.test(parameters)) ||
    // Without parameters it is a key of rxvt.
    (final === 'c' && parameters !== '')
  )
}

/** Reads a key that was pressed with Alt, and the keys of the application mode. */
function nextAlt(input: string, own?: OwnKeys): readonly [taken: number, key?: Key | TerminalReply] {
  const second = input.charAt(1)
  if (second === 'O') {
    return taking(input.slice(0, 3), applicationKey(input.charAt(2)))
  }
  const [taken, key] = next(input.slice(1), own)
  if (taken === 0) return [0]
  if (key?.type === 'reply') return [1, press('esc')]
  if (key?.type === 'text') {
    const [character = ''] = key.text
    return [1 + character.length, altKey(character)]
  }
  const isPlain = key?.type !== 'press' || key.name === 'esc'
  return taking(input.slice(0, taken + 1), isPlain ? key : press(`alt+${key.name}`))
}

function altKey(character: string): Key {
  const lower = character.toLowerCase()
  const name = character === ' ' ? 'space' : lower
  return press(lower === character ? `alt+${name}` : `alt+shift+${name}`)
}

function nextPlain(input: string, first: string): readonly [taken: number, key: Key] {
  const named = controls[first]
  if (named !== undefined) return [1, press(named)]
  if (first < ' ') return [1, press(`ctrl+${controlCharacter(first.charCodeAt(0))}`)]
  // A control character that no key sends.
  const [text = first] = /^[^\p{Cc}]+/u.exec(input) ?? []
  return [text.length, { type: 'text', text }]
}

/** Returns the character that Ctrl makes this code of. */
function controlCharacter(code: number): string {
  return code === 0 ? 'space' : String.fromCharCode(code < 27 ? code + 96 : code + 64)
}

function press(name: string): Key {
  return { type: 'press', name }
}

function reply(text: string): TerminalReply {
  return { type: 'reply', text }
}

const controls: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\u007f': 'backspace',
}
