import type { ReachableCommand } from '../command-line.ts'
import { escapeExpression } from './glob.ts'
import { type Likelihood, likeliest } from './likelihood.ts'
import { rearranged, type Words } from './rearranged.ts'
import { readRuleWords } from './rule-words.ts'

/** Whether a command answers to a rule such as `git diff:*`, `ls *`, `npm test`. */
export interface CommandRule {
  /** Every command answers. */
  readonly isAny: boolean
  /** It holds a wildcard: what a command goes on to say is not in it. */
  readonly isOpen: boolean
  /** Whether just these words answer. For what is allowed. */
  matches(words: readonly string[]): boolean
  /** Whether they may, by any name and in another arrangement: for what is forbidden or asked about. */
  mayMatch(command: ReachableCommand): Likelihood
  /** Whether its words stand among these, in their order, whatever stands between them. */
  mayBeIn(words: readonly string[]): boolean
}

/** Stands between two words; no word of a command holds it. */
const wordEnd = '\0'

/** `spec` ends in `:*` or ` *` where more words may follow; `*` elsewhere stands for any text. */
export function createCommandRule(spec: string): CommandRule {
  // A blank behind a backslash is part of a word.
  const text = spec.trimStart().replace(/(?<!\\)\s+$/, '')
  const prefix = /^(.*?)(:\*| \*)$/s.exec(text)?.[1]
  const isAny = text === '' || text === '*' || prefix?.trim() === ''
  const words = readRuleWords(prefix ?? text)
  const source = words.map((pieces) => pieces.map(escapeExpression).join('.*')).join(wordEnd)
  const whole = `^${source}${prefix === undefined ? '' : `(?:${wordEnd}.*)?`}$`
  const exact = new RegExp(whole, 's')
  const loose = new RegExp(whole, 'is')
  const pieces = words.map((one) => new RegExp(`^${one.map(escapeExpression).join('.*')}$`, 'is'))
  const compare = (given: Words): Likelihood => {
    const end = given.indexOf(undefined)
    if (end === -1) return loose.test(given.join(wordEnd)) ? 'yes' : 'no'
    const known = given.slice(0, end)
    // Whatever the rest turns out to be, it may follow.
    if (prefix !== undefined && loose.test(known.join(wordEnd))) return 'yes'
    return mayContinue(words, known) ? 'maybe' : 'no'
  }
  const meansSame = rearranged(words, prefix !== undefined)
  return {
    isAny,
    isOpen: prefix !== undefined || words.some((pieces) => pieces.length > 1),
    matches: (given) => isAny || exact.test(given.join(wordEnd)),
    mayMatch: ({ name, words: given }) => {
      if (isAny) return 'yes'
      // Which command it is at all is not this rule's to say.
      if (name === undefined) return 'no'
      const args = given.slice(1)
      // Without options between its words: a `*` of the rule may stand for many of them.
      const bare = args.filter((word) => word?.startsWith('-') !== true)
      const forms = [given, [name, ...args], [name, ...bare]]
      return likeliest([...forms.map(compare), meansSame(name, args)])
    },
    mayBeIn: (given) => {
      let found = 0
      for (const word of given) {
        const names = found === 0 ? [word, word.replace(/^.*\bs?bin\//, '')] : [word]
        if (names.some((name) => pieces[found]?.test(name))) found++
      }
      return found === pieces.length
    },
  }
}

/** Whether these words may go on to become what the rule says. */
function mayContinue(rule: readonly (readonly string[])[], known: Words): boolean {
  for (const [i, word] of known.entries()) {
    const pieces = rule[i]
    if (pieces === undefined || pieces.length > 1) return true
    if (pieces[0]?.toLowerCase() !== word?.toLowerCase()) return false
  }
  return true
}
