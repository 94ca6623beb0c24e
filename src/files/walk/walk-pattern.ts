import { expandBraces } from '../../globs/braces.ts'
import { escapeSets, type Glob, parseGlob } from '../../globs/compile-glob.ts'
import { mostAlternatives, requireSmallGlob } from './glob-size.ts'

/** The files that a walk yields, by their paths relative to its root. */
export interface WalkPattern {
  /** The names that the pattern begins with, in order. A walk goes there even if they are ignored. */
  readonly start: readonly string[]
  /** Whether `start` names a file, the only one that matches. */
  readonly isFile: boolean
  /** `masked`: the path with `mask` for each name that `masks` names. */
  matches(path: string, masked?: string): boolean
  /** Whether something below a folder may match. */
  reaches(folder: string, masked?: string): boolean
  /**
   * Tells of each name in a folder whether a name in brackets stands beside it that the pattern means. `[id]` finds `i` only where nothing is
   * called `[id]`. `undefined` if there is none.
   */
  masks(names: readonly string[]): ((name: string) => boolean) | undefined
}

/** Stands for a name that no set of characters may match, but a star does. No file has it. */
export const mask = '\0\0'

/** Throws `invalid` for a pattern that is too large. */
export function readWalkPattern(text: string): WalkPattern {
  requireSmallGlob(text)
  const pattern = text.replace(/\/+/g, '/').replace(/\/$/, '/**')
  // `!(…)` is a group, not a negation.
  const isNegated = /^!(?!\()/.test(pattern)
  const path = isNegated ? pattern.slice(1) : pattern
  const isName = !path.includes('/')
  const paths = (expandBraces(path, { most: mostAlternatives, ranges: true }) ?? [path]).map((one) =>
    isName ? `**/${one}` : one.replace(/^(\.\/+)+/, ''),
  )
  const either = anyOf([...new Set(paths.flatMap(readings))])
  if (isNegated) {
    const isLeft = (path: string) => !either.matches(path)
    return { start: [], isFile: false, matches: isLeft, reaches: isLeft, masks: () => undefined }
  }
  const start = isName ? [] : namesAtStart(path)
  const isFile = start.length > 0 && start.length === path.split('/').filter(isNeeded).length
  const names = bracketed(paths)
  const itself = anyOf(paths.map((one) => literally(one, names)))
  const test = (of: keyof Tests) => (path: string, masked?: string) =>
    masked === undefined ? either[of](path) : itself[of](path) || either[of](masked)
  return { start, isFile, matches: test('matches'), reaches: test('reaches'), masks: createMasks(names) }
}

type Tests = Pick<Glob, 'matches' | 'reaches'>

function anyOf(patterns: readonly string[]): Tests {
  const globs = patterns.map((one) => parseGlob(one, dialect))
  const someGlob = (test: keyof Tests) => (path: string) => globs.some((glob) => glob[test](path))
  return { matches: someGlob('matches'), reaches: someGlob('reaches') }
}

/** More names in brackets than this are read alike: all as sets, or all as themselves. */
const mostBracketed = 3

/** Returns a pattern in each reading of its names in brackets: as sets of characters and as themselves. */
function readings(path: string): readonly string[] {
  const names = bracketed([path])
  if (names.length > mostBracketed) return [path, literally(path, names)]
  return names.reduce<readonly string[]>(
    (all, name) => all.flatMap((one) => [one, literally(one, [name])]),
    [path],
  )
}

function createMasks(bracketNames: readonly string[]): WalkPattern['masks'] {
  const brackets = bracketNames.map((text) => ({
    set: parseGlob(text, dialect),
    itself: parseGlob(escapeSets(text), dialect),
  }))
  if (brackets.length === 0) return () => undefined
  return (names) => {
    const there = brackets.filter(({ itself }) => names.some((name) => itself.matches(name)))
    if (there.length === 0) return undefined
    return (name) => there.some(({ set, itself }) => set.matches(name) && !itself.matches(name))
  }
}

/** The names of patterns that hold brackets. */
function bracketed(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap((path) => path.split('/').filter((name) => /\[.*\]/s.test(name))))]
}

/** Replaces these names in a pattern by patterns for the names themselves. */
function literally(path: string, names: readonly string[]): string {
  const parts = path.split('/').map((name) => (names.includes(name) ? escapeSets(name) : name))
  return parts.join('/')
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
