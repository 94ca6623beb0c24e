import type { Key } from './key.ts'

/**
 * Returns the key of a control sequence: its parameters and its last character. `undefined` for one that is no press of a known key.
 * The forms are those of xterm, of its `modifyOtherKeys`, and of the kitty keyboard protocol.
 */
export function sequenceKey(parameters: string, final: string): Key | undefined {
  const fields = parameters.split(';').map((one) => one.split(':'))
  const [[number = '', shifted = ''] = [], [modifiers = '', event = ''] = [], [third = ''] = []] = fields
  // A key that is let go.
  if (event === '3') return undefined
  if (final === 'Z') return named('tab', '2')
  if (final === 'u') return codeKey(number, modifiers, { shifted, text: fields[2] ?? [] })
  if (final !== '~') return named(letters[final], modifiers)
  // xterm's form of keys with modifiers: 27, the modifiers, the character.
  if (number === '27') return codeKey(third, modifiers, { shifted: '', text: [] })
  return named(numbers[number], modifiers)
}

/** Returns the key of an `ESC O` sequence: arrows, and the keypad in its application mode. */
export function applicationKey(final: string): Key | undefined {
  const text = keypad[final]
  if (text !== undefined) return { type: 'text', text }
  return named(final === 'M' ? 'enter' : letters[final], '')
}

interface CodeText {
  /** Code of the character that Shift makes of the key. */
  readonly shifted: string
  /** Codes of the text that the key types. */
  readonly text: readonly string[]
}

function codeKey(code: string, modifiers: string, { shifted, text }: CodeText): Key | undefined {
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
  return named(character.toLowerCase(), modifiers)
}

function named(name: string | undefined, modifiers: string): Key | undefined {
  if (name === undefined) return undefined
  const bits = bitsOf(modifiers)
  const held = modifierNames.filter((_, i) => bits & (1 << i)).toReversed()
  return { type: 'press', name: [...held, name].join('+') }
}

/** Modifiers by bit. Meta is what old terminals call Alt. */
const modifierNames = ['shift', 'alt', 'ctrl', 'super', 'hyper']
const shiftBit = 1
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
  ...{ A: 'up', B: 'down', C: 'right', D: 'left', F: 'end', H: 'home' },
  ...{ P: 'f1', Q: 'f2', R: 'f3', S: 'f4' },
}

const numbers: Readonly<Record<string, string>> = {
  ...{ 1: 'home', 2: 'insert', 3: 'delete', 4: 'end', 5: 'pageup', 6: 'pagedown', 7: 'home', 8: 'end' },
  ...{ 11: 'f1', 12: 'f2', 13: 'f3', 14: 'f4', 15: 'f5', 17: 'f6', 18: 'f7', 19: 'f8' },
  ...{ 20: 'f9', 21: 'f10', 23: 'f11', 24: 'f12' },
}

const codes: Readonly<Record<string, string>> = {
  ...{ 8: 'backspace', 9: 'tab', 13: 'enter', 27: 'esc', 127: 'backspace' },
}

/** The keypad in application mode: the characters it types. */
const keypad: Readonly<Record<string, string>> = {
  ...{ X: '=', j: '*', k: '+', l: ',', m: '-', n: '.', o: '/' },
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
