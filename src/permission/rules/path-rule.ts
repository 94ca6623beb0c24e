import { join, posix, resolve } from 'node:path'
import { expandBraces } from '../../globs/braces.ts'
import { escapeGlob, escapeSets, hasWildcard, matchesAny } from '../../globs/compile-glob.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { foldCase } from '../paths/case-folding.ts'

/** The folders that a rule's path may be relative to. Absolute. */
export interface Anchors {
  readonly cwd: string
  readonly home: string
  /** The folder that the settings with the rule belong to. */
  readonly source: string
}

/** Matches paths. A relative path means one place in an allow rule, and any depth in a deny or ask rule. */
export interface PathRule {
  /** The rule's text, normalized. */
  readonly text: string
  matches(path: string): boolean
  /** Whether a path below this folder may match. */
  reaches(folder: string): boolean
  /** Whether the folder may hold names that the rule is about: it starts at, below or above it, or matches at any depth. */
  mayHold(folder: string): boolean
  /** Whether every path below this folder matches. */
  coversAll(folder: string): boolean
  /** The path that the rule names, if it has no wildcard. A rule that matches at any depth has the one in `cwd`. */
  readonly literal?: string
}

/**
 * `spec`: `//abs`, `~/below/home`, `/below/the/source`, `below/cwd` or `../beside/cwd`. `{a,b}` lists alternatives. Empty or `*`
 * matches every path.
 */
export function createPathRule(spec: string, behavior: 'allow' | 'ask' | 'deny', anchors: Anchors): PathRule {
  if (/^\s*\*?\s*$/.test(spec)) return everywhere
  const text = cleaned(spec)
  const alternatives =
    expandBraces(text, { most: mostAlternatives }) ?? (behavior === 'allow' ? [text] : ['**'])
  const all = alternatives.filter(Boolean).map((one) => createSingle(one, behavior, anchors))
  const [only, ...more] = all
  if (only !== undefined && more.length === 0) return only
  const some = (test: keyof Omit<PathRule, 'literal' | 'text'>) => (path: string) =>
    all.some((rule) => rule[test](path))
  return {
    text,
    matches: some('matches'),
    reaches: some('reaches'),
    mayHold: some('mayHold'),
    coversAll: some('coversAll'),
  }
}

const everywhere: PathRule = {
  text: '',
  matches: () => true,
  reaches: () => true,
  mayHold: () => true,
  coversAll: () => true,
}

function createSingle(spec: string, behavior: 'allow' | 'ask' | 'deny', anchors: Anchors): PathRule {
  const text = spec.replace(/\/+$/, '')
  if (behavior !== 'allow' && /^\*{1,2}$/.test(text)) return everywhere
  const anchored = anchor(text, anchors)
  if (anchored === undefined && behavior !== 'allow') {
    const matches = inAnySpelling(withBelow(text.startsWith('**/') ? text : `**/${text}`))
    const literal = literalPlace(join(escapeGlob(anchors.cwd), text.replace(/^(\*\*\/)+/, '')))
    return {
      text: spec,
      matches,
      reaches: () => false,
      mayHold: () => true,
      coversAll: covering(matches),
      ...omitUndefined({ literal }),
    }
  }
  const pattern = anchored ?? join(escapeGlob(anchors.cwd), text)
  const patterns = behavior === 'allow' && !spec.endsWith('/') ? [pattern] : withBelow(pattern)
  const base = literalPart(pattern).toLowerCase()
  const matches = behavior === 'allow' ? matchesAny(patterns) : inAnySpelling(patterns)
  const below = (folder: string) => (folder === '/' ? '/' : `${folder.toLowerCase()}/`)
  const reaches = (folder: string) => base.startsWith(below(folder))
  return {
    text: spec,
    matches,
    reaches,
    mayHold: (folder) => reaches(folder) || below(folder).startsWith(base),
    coversAll: covering(matches),
    ...omitUndefined({ literal: literalPlace(pattern) }),
  }
}

/** Strips surrounding blanks and shell quotes; resolves `.` and `..`. */
function cleaned(spec: string): string {
  const text = spec.trim().replace(/^(["'])(.*)\1$/s, '$2')
  const [, lead = '', rest = ''] =
    /^(\/\/|\/|~\/|\$(?:HOME|PWD)\/|\$\{(?:HOME|PWD)\}\/)?(.*)$/s.exec(text) ?? []
  return rest === '' ? text : lead + posix.normalize(rest)
}

/** More than anyone writes by hand. */
const mostAlternatives = 64

/** Tests names that no file has, one and two levels down: a rule that matches these matches everything below. */
function covering(matches: PathRule['matches']): PathRule['coversAll'] {
  return (folder) => matches(`${folder}/**`) && matches(`${folder}/**/**`)
}

/** Matches in every spelling that some file system treats as equal, and names such as `[id]` as sets and as themselves. */
function inAnySpelling(given: readonly string[]): PathRule['matches'] {
  const patterns = [...new Set([...given, ...given.map(escapeSets)])]
  const spelled = matchesAny(patterns, { ignoresCase: true })
  const all = matchesAny(patterns.map(foldCase))
  return (path) => spelled(path) || all(foldCase(path))
}

/** A folder includes everything in it. A pattern for its contents also covers the folder itself. */
function withBelow(pattern: string): readonly string[] {
  const folder = pattern.replace(/(\/\*\*)+$/, '')
  return [folder, `${folder}/**`]
}

function anchor(text: string, { cwd, home, source }: Anchors): string | undefined {
  if (/^\.\.?(\/|$)/.test(text)) return join(escapeGlob(cwd), text)
  if (text.startsWith('//')) return resolve('/', text.slice(1))
  if (text === '~' || text.startsWith('~/')) return join(escapeGlob(home), text.slice(1))
  const ofHome = /^(\$HOME|\$\{HOME\})(?=\/|$)/.exec(text)?.[0]
  if (ofHome !== undefined) return join(escapeGlob(home), text.slice(ofHome.length))
  const ofFolder = /^(\$PWD|\$\{PWD\})(?=\/|$)/.exec(text)?.[0]
  if (ofFolder !== undefined) return join(escapeGlob(cwd), text.slice(ofFolder.length))
  return text.startsWith('/') ? join(escapeGlob(source), text) : undefined
}

function literalPlace(pattern: string): string | undefined {
  const folder = pattern.replace(/(\/\*\*)+$/, '')
  const isPattern = hasWildcard(folder.replace(/\\./g, ''))
  return isPattern || folder === '' ? undefined : folder.replace(/\\(.)/g, '$1')
}

/** The part of a pattern before its first segment with a wildcard. */
function literalPart(pattern: string): string {
  const [literal = ''] = pattern.split(/[^/]*[*?[\\]/, 1)
  return literal
}
