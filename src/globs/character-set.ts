/** A set such as `[a-z]` in a pattern. */
export interface CharacterSet {
  /** Index after the closing bracket. */
  readonly end: number
  /** Whether the set holds a character. */
  has(character: string): boolean
}

const bracket =
  /\[(?<not>[!^]?)(?<set>(?:\]|\\.|\[:\w+:\]|\[=.=\]|\[\..\.\]|[^\]\\])(?:\\.|\[:\w+:\]|\[=.=\]|\[\..\.\]|[^\]\\])*)\]/suy

/** Reads the set that opens at `start`. Returns `undefined` if it is not closed. */
export function readCharacterSet(
  pattern: string,
  start: number,
  ignoresCase: boolean,
): CharacterSet | undefined {
  bracket.lastIndex = start
  const [found, not, set = ''] = bracket.exec(pattern) ?? []
  if (found === undefined) return undefined
  const members = Array.from(set.matchAll(member), ({ groups = {} }) => memberOf(groups))
  const holds = (character: string) => members.some((holdsIt) => holdsIt(character))
  const isIn = ignoresCase ? (one: string) => holds(one) || holds(one.toLowerCase()) : holds
  return { end: start + found.length, has: (character) => isIn(character) === (not === '') }
}

/** A class, a character in the form `[=e=]` or `[.e.]`, a range, or a character. */
const member =
  /\[:(?<name>\w+):\]|\[(?<sign>[=.])(?<element>.)\k<sign>\]|\\?(?<first>.)(?:-\\?(?<last>.))?/gsu

const classes: ReadonlyMap<string, RegExp> = new Map([
  ['alnum', /[a-zA-Z0-9]/],
  ['alpha', /[a-zA-Z]/],
  ['ascii', /[\0-\x7f]/],
  ['blank', /[ \t]/],
  ['cntrl', /\p{Cc}/u],
  ['digit', /[0-9]/],
  ['graph', /[!-~]/],
  ['lower', /[a-z]/],
  ['print', /[ -~]/],
  ['punct', /[!-/:-@[-`{-~]/],
  ['space', /\s/],
  ['upper', /[A-Z]/],
  ['word', /\w/],
  ['xdigit', /[0-9A-Fa-f]/],
])

/** A backward range holds only its start. An unknown class is empty. */
function memberOf({ name, element = '', first = element, last = first }: Readonly<Record<string, string>>) {
  // A glob that ignores case has its letters folded, those of a class's name too.
  const named = name === undefined ? undefined : classes.get(name.toLowerCase())
  if (name !== undefined) return (character: string) => named?.test(character) === true
  // Compares code points: comparing strings would compare surrogate halves.
  const [from, to] = [codeOf(first), codeOf(last)]
  return (character: string) => character === first || (codeOf(character) >= from && codeOf(character) <= to)
}

const codeOf = (character: string): number => character.codePointAt(0) ?? 0
