import { joinByStars, matchesAny } from '../../globs/compile-glob.ts'
import type { ReachableCommand } from '../command-line.ts'
import { type Likelihood, likeliest } from './likelihood.ts'
import { rearranged, type Words, wordTest } from './rearranged.ts'
import { readRuleWords } from './rule-words.ts'

/** A command rule such as `git diff:*`, `ls *` or `npm test`. */
export interface CommandRule {
  /** Every command matches. */
  readonly isAny: boolean
  /** It holds a wildcard, so a command may have words that the rule does not spell out. */
  readonly isOpen: boolean
  /** Whether exactly these words match. For allow rules. */
  matches(words: readonly string[]): boolean
  /** Whether the command may match, under another name or with its words rearranged. For deny and ask rules. */
  mayMatch(command: ReachableCommand): Likelihood
  /** Whether the rule's words occur among these, in order, with any words between them. */
  mayBeIn(words: readonly string[]): boolean
}

/** Separates words in the joined text. No word of a command can hold it. */
const wordEnd = '\0'

/** `spec` ends in `:*` or ` *` if more words may follow. Elsewhere `*` matches any text. */
export function createCommandRule(spec: string): CommandRule {
  // A blank behind a backslash is part of a word.
  const text = spec.trimStart().replace(/(?<!\\)\s+$/, '')
  const prefix = /^(.*?)(:\*| \*)$/s.exec(text)?.[1]
  const isAny = text === '' || text === '*' || prefix?.trim() === ''
  const words = readRuleWords(prefix ?? text)
  const glob = words.map(joinByStars).join(wordEnd)
  const globs = prefix === undefined ? [glob] : [glob, `${glob}${wordEnd}*`]
  const isExact = matchesAny(globs, { crosses: true })
  const isLike = matchesAny(globs, { crosses: true, ignoresCase: true })
  const tests = words.map(wordTest)
  const compare = (given: Words): Likelihood => {
    const end = given.indexOf(undefined)
    if (end === -1) return isLike(given.join(wordEnd)) ? 'yes' : 'no'
    const known = given.slice(0, end)
    // The rule accepts any further words.
    if (prefix !== undefined && isLike(known.join(wordEnd))) return 'yes'
    return mayContinue(words, known) ? 'maybe' : 'no'
  }
  const meansSame = rearranged(words, prefix !== undefined)
  return {
    isAny,
    isOpen: prefix !== undefined || words.some((pieces) => pieces.length > 1),
    matches: (given) => isAny || isExact(given.join(wordEnd)),
    mayMatch: (command) => {
      const { name, words: given } = command
      if (isAny) return 'yes'
      // The caller handles lines whose command is unknown (`opaque`).
      if (name === undefined) return 'no'
      const args = given.slice(1)
      // A third form without options, because a `*` in the rule may match several words.
      const bare = args.filter((word) => word?.startsWith('-') !== true)
      const forms = [given, [name, ...args], [name, ...bare]]
      return likeliest([...forms.map(compare), meansSame(command)])
    },
    mayBeIn: (given) => {
      let found = 0
      for (const word of given) {
        const names = found === 0 ? [word, word.replace(/^.*\bs?bin\//, '')] : [word]
        if (names.some((name) => tests[found]?.(name))) found++
      }
      return found === tests.length
    },
  }
}

/** Whether these words may begin a match, whatever the unknown rest is. */
function mayContinue(rule: readonly (readonly string[])[], known: Words): boolean {
  for (const [i, word] of known.entries()) {
    const pieces = rule[i]
    if (pieces === undefined || pieces.length > 1) return true
    if (pieces[0]?.toLowerCase() !== word?.toLowerCase()) return false
  }
  return true
}
