import { expandBraces } from '../text/braces.ts'
import { type Glob, parseGlob } from '../text/glob.ts'
import { mostAlternatives, requireSmallGlob } from './glob-size.ts'

/** The files that a walk yields, by their paths relative to its root. */
export interface WalkPattern {
  /** The names that the pattern begins with, in order. A walk goes there even if they are ignored. */
  readonly start: readonly string[]
  /** Whether `start` names a file, the only one that matches. */
  readonly isFile: boolean
  matches(path: string): boolean
  /** Whether something below a folder may match. */
  reaches(folder: string): boolean
}

/** Throws `invalid` for a pattern that is too large. */
export function readWalkPattern(text: string): WalkPattern {
  requireSmallGlob(text)
  const pattern = text.replace(/\/+/g, '/').replace(/\/$/, '/**')
  // `!(…)` is a group, not a negation.
  const isNegated = /^!(?!\()/.test(pattern)
  const path = isNegated ? pattern.slice(1) : pattern
  const isName = !path.includes('/')
  const paths = expandBraces(path, { most: mostAlternatives, ranges: true }) ?? [path]
  const globs = paths.map((one) => parseGlob(isName ? `**/${one}` : one.replace(/^(\.\/+)+/, ''), dialect))
  const someGlob = (test: keyof Pick<Glob, 'matches' | 'reaches'>) => (path: string) =>
    globs.some((glob) => glob[test](path))
  const matches = someGlob('matches')
  if (isNegated) {
    const isLeft = (path: string) => !matches(path)
    return { start: [], isFile: false, matches: isLeft, reaches: isLeft }
  }
  const start = isName ? [] : namesAtStart(path)
  const isFile = start.length > 0 && start.length === path.split('/').filter(isNeeded).length
  return { start, isFile, matches, reaches: someGlob('reaches') }
}

/** The names before the first one with a wildcard. None if the path leads out of the folder. */
function namesAtStart(path: string): readonly string[] {
  if (path.startsWith('/')) return []
  const names = path.split('/').filter(isNeeded)
  const wild = names.findIndex((name) => /[*?[\]{}()!@+\\]|^\.\.$/.test(name))
  return wild === -1 ? names : names.slice(0, wild)
}

const isNeeded = (name: string): boolean => name !== '' && name !== '.'

const dialect = { wholeNames: true, groups: true } as const
