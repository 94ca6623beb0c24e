import { cutText } from '../../characters/cut.ts'
import { PipeError } from '../../error.ts'
import { readRange } from '../../globs/braces.ts'

/** Limits on what makes a glob costly to match. */
const most = { characters: 1_000, folders: 50, stars: 20 } as const

/** Alternatives of all braces together. */
export const mostAlternatives = 1_000

/** Throws `invalid` for a glob that would take too much time or memory to match. */
export function requireSmallGlob(pattern: string): void {
  if (pattern.length > most.characters)
    throw unusable(pattern, `it is longer than ${most.characters} characters`)
  const parts = pattern.split('/')
  if (parts.length > most.folders) throw unusable(pattern, `it has more than ${most.folders} folders`)
  if (parts.some((part) => part.split('*').length > most.stars + 1))
    throw unusable(pattern, `a name in it has more than ${most.stars} stars`)
  if (alternativesIn(pattern) > mostAlternatives)
    throw unusable(pattern, `its braces stand for more than ${mostAlternatives} names`)
}

/** The error for a glob that cannot be matched. */
function unusable(pattern: string, reason: string): PipeError {
  const start = cutText(pattern, 60)
  const shown = start === pattern ? pattern : `${start}…`
  const advice = 'use * for the parts that differ, or search several times'
  return new PipeError('invalid', `the glob ${shown} cannot be used: ${reason}; ${advice}`)
}

/** An upper bound of the names that the braces expand to. */
function alternativesIn(pattern: string): number {
  let count = 1
  let rest = pattern.replace(/\\./gs, '')
  // Innermost braces first.
  for (let found = brace.exec(rest); found !== null; found = brace.exec(rest)) {
    count *= sizeOf(found[1] ?? '')
    rest = rest.replace(brace, '')
  }
  return count
}

const brace = /\{([^{}]*)\}/

const sizeOf = (choice: string): number => readRange(choice)?.size ?? choice.split(',').length
