import type { Key } from './key.ts'

/** Keys by their control sequence without `ESC [`, where a terminal has its own. */
export type OwnKeys = ReadonlyMap<string, string>

/** The keys of st in its normal mode. */
export const stKeys: OwnKeys = new Map([
  ...([
    ['P', 'delete'],
    ['M', 'ctrl+delete'],
    ['2K', 'shift+delete'],
    ['4h', 'insert'],
    ['L', 'ctrl+insert'],
  ] as const),
  ...([
    ['J', 'ctrl+end'],
    ['K', 'shift+end'],
    ['2J', 'shift+home'],
    ['4l', 'shift+insert'],
  ] as const),
])

/**
 * Returns the key of a control sequence: its parameters and its last character. `undefined` for one that is no press of a known key.
 * The forms are those of xterm, of its `modifyOtherKeys`, of rxvt, and of the kitty keyboard protocol.
 */
export function sequenceKey(parameters: string, final: string, own?: OwnKeys): Key | undefined {
  const ownName = own?.get(parameters + final)
  if (ownName !== undefined) return { type: 'press', name: ownName }
  const fields = parameters.split(';').map((one) => one.split(':'))
  const [[number = '', shifted = '', base = ''] = [], [modifiers = '', event = ''] = [], [third = ''] = []] =
    fields
  // A key that is let go.
  if (event === '3') return undefined
  if (final === 'Z') return named('tab', '2')
  if (final === 'u') return codeKey(number, modifiers, { shifted, base, text: fields[2] ?? [] })
  const rxvt = rxvtModifiers[final]
  if (rxvt !== undefined) return named(numbers[number], rxvt)
  if (final !== '~')
    return named(letters[final] ?? letters[final.toUpperCase()], shiftIfLower(final, modifiers))
  // xterm's form of keys with modifiers: 27, the modifiers, the character.
  if (number === '27') return codeKey(third, modifiers, { shifted: '', base: '', text: [] })
  return named(numbers[number], modifiers)
}

/** rxvt's arrows with Shift have small letters. */
function shiftIfLower(final: string, modifiers: string): string {
  return /[a-d]/.test(final) ? '2' : modifiers
}

/** The modifiers that the last character of rxvt's numbered keys tells. */
const rxvtModifiers: Readonly<Record<string, string>> = { $: '2', '^': '5', '@': '6' }

/** Returns the key of an `ESC O` sequence: arrows, and the keypad in its application mode. */
export function applicationKey(final: string): Key | undefined {
  const text = keypad[final]
  if (text !== undefined) return { type: 'text', text }
  // rxvt's arrows with Ctrl.
  if (/[a-d]/.test(final)) return named(letters[final.toUpperCase()], '5')
  return named(final === 'M' ? 'enter' : letters[final], '')
}

interface CodeText {
  /** Code of the character that Shift makes of the key. */
  readonly shifted: string
  /** Code of the character that the key types on the layout of the keyboard's letters (US). */
  readonly base: string
  /** Codes of the text that the key types. */
  readonly text: readonly string[]
}

function codeKey(code: string, modifiers: string, { shifted, base, text }: CodeText): Key | undefined {
  const typed = text.map(characterOf).join('')
  if (typed !== '') return { type: 'text', text: typed }
  const bits = bitsOf(modifiers)
  const functional = codes[code]
  if (functional !== undefined) return named(functional, modifiers)
  const onKeypad = keypadCodes[Number(code) - firstKeypadCode]
  if (onKeypad !== undefined) {
    return onKeypad.length === 1 && bits === 0 ? { type: 'text', text: onKeypad } : named(onKeypad, modifiers)
  }
  const character = characterOf(code)
  if (character === '') return undefined
  if ((bits & ~shiftBit) === 0) {
    const upper = characterOf(shifted) || character.toUpperCase()
    return { type: 'text', text: bits === 0 ? character : upper }
  }
  const symbol = characterOf(shifted)
  // Symbols name the key that Shift makes of another, such as `<`.
  if (bits & shiftBit && shiftedSymbols.has(symbol)) return namedWith(symbol, bits & ~shiftBit)
  // Letters of other scripts mean what the key is on the base layout.
  const isOther = !/[ -~\p{Script=Latin}]/u.test(character)
  const meant = (isOther && characterOf(base)) || character.toLowerCase()
  const plain = bits & ctrlBit && !(bits & shiftBit) ? controlled[meant] : undefined
  return plain === undefined ? namedWith(meant, bits) : namedWith(plain, bits & ~ctrlBit)
}

/** Symbols that keys are named after where Shift makes them of another one. */
const shiftedSymbols: ReadonlySet<string> = new Set('<>_/[]^@')
/** The meanings of these with Ctrl in every terminal without the protocol. */
const controlled: Readonly<Record<string, string>> = { '[': 'esc', m: 'enter', i: 'tab' }
/** Keys that mean with Shift what they mean without. */
const shiftless: ReadonlySet<string> = new Set(['backspace', 'esc'])

function named(name: string | undefined, modifiers: string): Key | undefined {
  return name === undefined ? undefined : namedWith(name, bitsOf(modifiers))
}

function namedWith(name: string, all: number): Key {
  const bits = all === shiftBit && shiftless.has(name) ? 0 : all
  const held = modifierNames.filter((_, i) => bits & (1 << i)).toReversed()
  return { type: 'press', name: [...held, name].join('+') }
}

/** Modifiers by bit. Meta is what old terminals call Alt. */
const modifierNames = ['shift', 'alt', 'ctrl', 'super', 'hyper']
const shiftBit = 1
const ctrlBit = 4
const metaBit = 32

/** Returns the modifiers that are held, without the locks. */
function bitsOf(modifiers: string): number {
  const all = Math.max(0, Number(modifiers || '1') - 1)
  return (all & 0b11111) | (all & metaBit ? 2 : 0)
}

/** Returns a character by its code; empty for codes of other keys, which lie in the private area. */
function characterOf(code: string): string {
  const point = Number(code)
  const isText = point >= 32 && point <= 0x10_ffff && point !== 127 && !(point >= 0xe000 && point <= 0xf8ff)
  return isText && !(point >= 0xd800 && point <= 0xdfff) ? String.fromCodePoint(point) : ''
}

const letters: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
}

const numbers: Readonly<Record<string, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
}

const codes: Readonly<Record<string, string>> = {
  8: 'backspace',
  9: 'tab',
  13: 'enter',
  27: 'esc',
  127: 'backspace',
}

/** The keypad in application mode: the characters it types. */
const keypad: Readonly<Record<string, string>> = {
  X: '=',
  j: '*',
  k: '+',
  l: ',',
  m: '-',
  n: '.',
  o: '/',
  ...Object.fromEntries(Array.from('0123456789', (digit, i) => [String.fromCharCode(112 + i), digit])),
}

/** The keypad in the kitty keyboard protocol, from this code on. */
const firstKeypadCode = 57_399
const keypadCodes = [
  ...Array.from('0123456789./*-+'),
  ...[
    'enter',
    '=',
    ',',
    'left',
    'right',
    'up',
    'down',
    'pageup',
    'pagedown',
    'home',
    'end',
    'insert',
    'delete',
  ],
]
