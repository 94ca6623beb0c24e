import { errorText, PipeError } from '../../error.ts'

/** The error for an invalid regular expression, with advice on escaping. */
export function invalidPattern(reason: string): PipeError {
  const advice = 'escape literal characters: \\{ \\( \\['
  return new PipeError('invalid', `the pattern is not a regular expression: ${reason}\n${advice}`)
}

interface Options {
  readonly ignoreCase: boolean
  readonly multiline: boolean
}

/**
 * Translates a pattern of ripgrep to JavaScript. Throws `invalid` for an invalid pattern, and for one that only ripgrep
 * supports, which must not pass for a pattern that matches nothing.
 */
export function scriptPattern(pattern: string, { ignoreCase, multiline }: Options): RegExp {
  const [whole, inline = ''] = /^\(\?([imsu]+)\)/.exec(pattern) ?? ['']
  const [, scoped, inner] = /^\(\?([imsu]+):((?:[^()[\]\\]|\\.)*)\)$/.exec(pattern) ?? []
  const wanted = `${inline}${scoped ?? ''}${ignoreCase ? 'i' : ''}${multiline ? 'gm' : ''}v`.replaceAll(
    'u',
    '',
  )
  const flags = [...new Set(wanted)].join('')
  const source = translated(inner ?? pattern.slice(whole.length))
  try {
    return new RegExp(source, flags)
  } catch (error) {
    throw invalidPattern(errorText(error))
  }
}

const token =
  /\\(?:[pP]\{[^}]*\}|[xuU]\{[\dA-Fa-f]+\}|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|k<\w+>|[pP]?.)|\[:\^?\w+:\]|\[\^?\]?|\(\?(?:P?<(?=\w)|<?[=!]|:)|\(\?|\{\d*,?\d*\}|&&|--|~~|./gsu

function translated(pattern: string): string {
  const parts: string[] = []
  let [depth, before] = [0, '']
  for (const { 0: piece, index } of pattern.matchAll(token)) {
    const isOpening = /^\[\^?\]?$/.test(piece)
    if (isOpening) depth++
    // A hyphen at either end of a class is literal.
    if (piece === '-' && depth > 0 && (/^\[\^?$/.test(before) || pattern[index + 1] === ']'))
      parts.push('\\-')
    else if (piece.startsWith('\\') && piece.length > 1) parts.push(escaped(piece, depth > 0))
    else if (isOpening) parts.push(piece.replace(']', '\\]'))
    else parts.push(depth > 0 ? inside(piece) : outside(piece))
    if (depth > 0 && piece === ']') depth--
    before = piece
  }
  return parts.join('')
}

/** Translates a token outside a character class. */
function outside(piece: string): string {
  if (piece === '(?P<') return '(?<'
  if (piece === '(?')
    throw invalidPattern('the only (?…) known here are groups, look-around and a leading (?i)')
  if (piece === '{' || piece === '{}' || piece === '{,}') throw invalidPattern('{ repeats nothing')
  if (piece.startsWith('{,')) return `{0${piece.slice(1)}`
  return piece === ']' || piece === '}' ? `\\${piece}` : piece
}

/** Translates a token inside a character class. */
function inside(piece: string): string {
  if (/^(-|&&|--|~~|\])$/.test(piece)) return piece
  const [, negation = '', name] = /^\[:(\^?)(.+):\]$/.exec(piece) ?? []
  if (name === undefined) return Array.from(piece, literalInClass).join('')
  const members = classes.get(name)
  if (members === undefined) throw invalidPattern(`the class ${piece} is not known`)
  return `[${negation}${members}]`
}

function literalInClass(character: string): string {
  return /[-^$\\.*+?()[\]{}|/&!#%,:;<=>@`~]/.test(character) ? `\\${character}` : character
}

const classes: ReadonlyMap<string, string> = new Map([
  ['alnum', '0-9A-Za-z'],
  ['alpha', 'A-Za-z'],
  ['ascii', '\\x00-\\x7f'],
  ['blank', '\\t '],
  ['cntrl', '\\x00-\\x1f\\x7f'],
  ['digit', '0-9'],
  ['graph', '!-~'],
  ['lower', 'a-z'],
  ['print', ' -~'],
  ['punct', '!-\\/:-@\\[-`\\{-~'],
  ['space', '\\t\\n\\v\\f\\r '],
  ['upper', 'A-Z'],
  ['word', '0-9A-Za-z_'],
  ['xdigit', '0-9A-Fa-f'],
])

const word = '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}]'

/** ripgrep's digits and word characters are those of all scripts. */
const everywhere: ReadonlyMap<string, string> = new Map([
  ['\\d', '\\p{Nd}'],
  ['\\D', '\\P{Nd}'],
  ['\\w', word],
  ['\\W', word.replace('[', '[^')],
  ['\\a', '\\x07'],
])

const outsideOfClasses: ReadonlyMap<string, string> = new Map([
  ['\\b', `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`],
  ['\\B', `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`],
  ['\\A', '(?<![^])'],
  ['\\z', '(?![^])'],
  ['\\<', `(?<!${word})(?=${word})`],
  ['\\>', `(?<=${word})(?!${word})`],
])

function escaped(piece: string, inClass: boolean): string {
  const known = everywhere.get(piece) ?? (inClass ? undefined : outsideOfClasses.get(piece))
  if (known !== undefined) return known
  const [, property, name = ''] = /^\\([pP])\{?([^}]+)\}?$/.exec(piece) ?? []
  if (property !== undefined) return `\\${property}{${propertyName(name)}}`
  if (/^\\[xuU]\{/.test(piece)) return `\\u${piece.slice(2)}`
  if (/^\\([sSnrtfv]|x..|u....)$/.test(piece) || (!inClass && /^\\([1-9]|k<)/.test(piece))) return piece
  const character = piece.slice(1)
  if (/^[^\p{L}\p{N}]$/u.test(character)) {
    if (inClass) return literalInClass(character)
    return /[\^$\\.*+?()[\]{}|/]/.test(character) ? piece : character
  }
  throw invalidPattern(`the escape ${piece} is not known`)
}

function propertyName(name: string): string {
  const capital = name.charAt(0).toUpperCase() + name.slice(1)
  const found = [name, capital, `Script=${capital}`].find((one) => isProperty(one))
  if (found === undefined) throw invalidPattern(`the property ${name} is not known here`)
  return found
}

function isProperty(name: string): boolean {
  try {
    return new RegExp(`\\p{${name}}`, 'u').unicode
  } catch {
    return false
  }
}
