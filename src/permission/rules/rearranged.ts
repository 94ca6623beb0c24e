import { joinByStars, parseGlob } from '../../globs/compile-glob.ts'
import type { ReachableCommand } from '../command-line.ts'
import { type Likelihood, leastLikely, likeliest } from './likelihood.ts'

/** Words of a command; `undefined` for a word that is not known. */
export type Words = readonly (string | undefined)[]

type WordTest = (word: string) => boolean

interface Operand {
  readonly isLike: WordTest
  /** Follows an option of the rule, so it may be that option's value and stand anywhere. */
  readonly isLoose: boolean
}

/**
 * Tests whether a command has all options of a rule, in any order, clustered or apart, and all its operands in order. `isOpen`:
 * more operands may follow.
 */
export function rearranged(
  rule: readonly (readonly string[])[],
  isOpen: boolean,
): (command: ReachableCommand) => Likelihood {
  // Drop `--`, unless the rule ends with it: then the rule is about `--` itself.
  const [command = [''], ...rest] = rule.filter(
    (pieces, i) => i === rule.length - 1 || pieces.join('*') !== '--',
  )
  const isCommand = wordTest(command)
  const options = rest.filter(isOptionOfRule).flatMap(optionsOf)
  const operands = rest.flatMap((pieces, i): readonly Operand[] =>
    isOptionOfRule(pieces)
      ? []
      : [{ isLike: wordTest(pieces), isLoose: rest.slice(0, i).some(isOptionOfRule) }],
  )
  return ({ name = '', words: [, ...args], optionNames, endsOptions }) => {
    if (!isCommand(name)) return 'no'
    const own = operands.length === 0 && endsOptions ? beforeOperands(args) : args
    return leastLikely([
      holdOperands(args, operands, isOpen),
      ...options.map((option) => likeliest(own.map((word) => isGiven(option, word, optionNames)))),
    ])
  }
}

function beforeOperands(args: Words): Words {
  const end = args.findIndex((word, i) => !isOption(word) && !isOption(args[i - 1]))
  return end === -1 ? args : args.slice(0, end)
}

function isOption(word: string | undefined): word is string {
  return word !== undefined && /^-./.test(word)
}

function isOptionOfRule([first = '']: readonly string[]): boolean {
  return first.startsWith('-')
}

/** Returns a test for a word of a rule, cut at its wildcards. */
export function wordTest(pieces: readonly string[]): WordTest {
  return parseGlob(joinByStars(pieces), { crosses: true, ignoresCase: true }).matches
}

/**
 * Up to four letters behind one dash count as separate options. A longer word is one option (`-delete`), or an option and its
 * value (`-XPOST`).
 */
const cluster = /^-[^-]{1,4}$/

/** An option of a rule: its name, or a test if it holds a wildcard. */
type Option = string | WordTest

function optionsOf(pieces: readonly string[]): readonly Option[] {
  const [only = ''] = pieces
  if (pieces.length > 1) return [wordTest(pieces)]
  return cluster.test(only) ? lettersOf(only) : [only]
}

function lettersOf(word: string): readonly string[] {
  return [...word.slice(1)].map((letter) => `-${letter}`)
}

/** Whether a word of a command sets this option. */
function isGiven(
  option: Option,
  word: string | undefined,
  names: ReachableCommand['optionNames'],
): Likelihood {
  if (word === undefined) return 'maybe'
  if (!isOption(word)) return 'no'
  if (typeof option !== 'string') return option(word) ? 'yes' : 'no'
  const [long = word] = word.split('=', 1)
  const named = (one: string) => names[one] ?? one
  const isAmong = (all: readonly string[]) => all.some((one) => named(one) === named(option))
  const letters = word.startsWith('--') ? [] : lettersOf(word)
  if (isAmong([word, long, ...(cluster.test(word) ? letters : letters.slice(0, 1))])) return 'yes'
  // Long options may be abbreviated, by the command or by the rule; letters late in a long cluster may be a value.
  const isLike =
    word.startsWith('--') &&
    option.startsWith('--') &&
    option !== '--' &&
    (long.startsWith(option) || option.startsWith(long))
  return isLike || isAmong(letters) ? 'maybe' : 'no'
}

/** Whether the operands occur among the words in order. A word between them may be an option's value. */
function holdOperands(args: Words, operands: readonly Operand[], isOpen: boolean): Likelihood {
  let found = 0
  let answer: Likelihood = 'yes'
  for (const [i, word] of args.entries()) {
    const next = operands[found]
    if (next === undefined && isOpen) break
    if (word === undefined) return 'maybe'
    if (next?.isLike(isOption(word) ? valueIn(word) : word)) found++
    else if (isOption(word)) continue
    else if (next !== undefined && (next.isLoose || takesNext(args[i - 1]))) answer = 'maybe'
    else return 'no'
  }
  return found === operands.length ? answer : 'no'
}

/** Whether the next word may be this option's value. */
function takesNext(word: string | undefined): boolean {
  return isOption(word) && !word.includes('=')
}

/** The value within an option's word. */
function valueIn(option: string): string {
  return option.startsWith('--') ? option.replace(/^[^=]*=?/, '') : option.slice(2)
}
