/** Keyboard input. A press has a name such as `enter`, `ctrl+c`, `alt+enter`, `shift+tab` or `esc`. */
export type Key =
  | { readonly type: 'text'; readonly text: string }
  /** Text from the clipboard, line ends as `\n`. */
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'press'; readonly name: string }

export interface Decoded {
  readonly keys: readonly Key[]
  /** The start of an incomplete sequence, to be prepended to the next bytes. */
  readonly pending: string
}

const pasteStart = '\u001b[200~'
const pasteEnd = '\u001b[201~'

/**
 * Decodes terminal input; `pending` comes from the previous call. A tab among other keys is text: terminals without bracketed paste
 * send pasted indents that way, and a tab that arms a question comes alone.
 */
export function decodeKeys(pending: string, input: string): Decoded {
  const { keys, ...decoded } = decodeAll(pending, input)
  return { keys: keys.length > 1 ? keys.map(asIndent) : keys, ...decoded }
}

function asIndent(key: Key): Key {
  return key.type === 'press' && key.name === 'tab' ? { type: 'text', text: '\t' } : key
}

function decodeAll(pending: string, input: string): Decoded {
  let rest = pending + input
  const keys: Key[] = []
  while (rest !== '') {
    if (rest.startsWith(pasteStart)) {
      const end = rest.indexOf(pasteEnd)
      if (end < 0) return { keys, pending: rest }
      // The rest of the same chunk counts as clipboard text: an end mark inside a paste must not begin commands.
      keys.push({ type: 'paste', text: pastedText(rest) })
      return { keys, pending: '' }
    }
    const [taken, key] = next(rest)
    if (taken === 0) return { keys, pending: rest }
    if (key !== undefined) keys.push(key)
    rest = rest.slice(taken)
  }
  return { keys, pending: '' }
}

/** Decodes pending input that no more bytes follow: each of its escape characters is the Esc key. */
export function flushKeys(pending: string): readonly Key[] {
  if (isEscapes(pending)) return Array.from(pending, () => press('esc'))
  return pending.startsWith(pasteStart) ? [{ type: 'paste', text: pastedText(pending) }] : []
}

/** Whether pending input may be the Esc key, once or more: over a network, two presses may arrive together. */
export function isEscapes(pending: string): boolean {
  return pending !== '' && pending.replaceAll('\u001b', '') === ''
}

function pastedText(raw: string): string {
  return raw.replaceAll(pasteStart, '').replaceAll(pasteEnd, '').replace(/\r\n?/g, '\n')
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: keys are sent as control sequences
const csi = /^\u001b\[([\d;:?<>=]*)([ -/]*)([@-~])/
const unfinished = /^\u001b(\[[\d;:?<>=]*[ -/]*|O)?$/
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above

/** Reads the first key and its length, 0 if it is incomplete. Returns no key for an unknown sequence. */
function next(input: string): readonly [taken: number, key?: Key] {
  const first = input.charAt(0)
  if (first !== '\u001b') return nextPlain(input, first)
  if (unfinished.test(input)) return [0]
  const [whole, parameters = '', , final = ''] = csi.exec(input) ?? []
  if (whole !== undefined) {
    const name = sequenceName(parameters, final)
    return name === undefined ? [whole.length] : [whole.length, press(name)]
  }
  if (input.charAt(1) === 'O') {
    const name = letters[input.charAt(2)]
    return name === undefined ? [3] : [3, press(name)]
  }
  const [taken, key] = next(input.slice(1))
  if (taken === 0) return [0]
  if (key?.type === 'press') return [taken + 1, press(key.name === 'esc' ? 'esc' : `alt+${key.name}`)]
  return [2, press(`alt+${input.charAt(1)}`)]
}

function nextPlain(input: string, first: string): readonly [taken: number, key: Key] {
  const named = controls[first]
  if (named !== undefined) return [1, press(named)]
  if (first < ' ') return [1, press(`ctrl+${String.fromCharCode(first.charCodeAt(0) + 96)}`)]
  const [text = first] = /^[^\p{Cc}]+/u.exec(input) ?? []
  return [text.length, { type: 'text', text }]
}

function press(name: string): Key {
  return { type: 'press', name }
}

const controls: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\u007f': 'backspace',
}

const letters: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  M: 'enter',
}

const numbers: Readonly<Record<string, string>> = {
  1: 'home',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
}

const codes: Readonly<Record<string, string>> = {
  9: 'tab',
  13: 'enter',
  27: 'esc',
  127: 'backspace',
}

function sequenceName(parameters: string, final: string): string | undefined {
  const [number = '', second = '1', third = ''] = parameters.split(';').map((one) => one.split(':')[0] ?? '')
  if (final === 'Z') return 'shift+tab'
  if (final === 'u') return withModifiers(codes[number] ?? characterOf(number), second)
  if (final !== '~') return withModifiers(letters[final], second)
  // xterm's form of keys with modifiers: 27, the modifiers, the character.
  if (number === '27') return withModifiers(codes[third] ?? characterOf(third), second)
  return withModifiers(numbers[number], second)
}

function characterOf(code: string): string | undefined {
  const point = Number(code)
  return point >= 32 && point <= 0x10_ffff ? String.fromCodePoint(point).toLowerCase() : undefined
}

function withModifiers(name: string | undefined, modifiers: string): string | undefined {
  if (name === undefined) return undefined
  const bits = Number(modifiers || '1') - 1
  return `${bits & 4 ? 'ctrl+' : ''}${bits & 2 ? 'alt+' : ''}${bits & 1 ? 'shift+' : ''}${name}`
}
