import { join, resolve } from 'node:path'
import { present } from '../present.ts'
import { folded } from './folded.ts'
import { escapeGlob, globExpression } from './glob.ts'

/** Where the path of a rule may begin. Absolute. */
export interface Anchors {
  readonly cwd: string
  readonly home: string
  /** The folder that the settings with the rule belong to. */
  readonly source: string
}

/** Whether a path answers to a rule. An allow rule means one place; others mean a relative path at any depth. */
export interface PathRule {
  matches(path: string): boolean
  /** Whether anything below this folder may answer. */
  reaches(folder: string): boolean
  /** Whether everything below this folder answers. */
  coversAll(folder: string): boolean
  /** The place that it means with all that is in it, where its text is no pattern; of those at any depth the one in `cwd`. */
  readonly literal?: string
}

/** `spec`: `//abs`, `~/below/home`, `/below/the/source`, `below/cwd`. Empty or `*`: every path. */
export function createPathRule(spec: string, behavior: 'allow' | 'ask' | 'deny', anchors: Anchors): PathRule {
  const text = spec.replace(/^\.\//, '').replace(/\/+$/, '')
  if (spec === '' || /^\*{1,2}$/.test(text))
    return { matches: () => true, reaches: () => true, coversAll: () => true }
  const anchored = anchor(text, anchors)
  if (anchored === undefined && behavior !== 'allow') {
    const matches = inAnySpelling(withBelow(text.startsWith('**/') ? text : `**/${text}`))
    const literal = literalPlace(join(escapeGlob(anchors.cwd), text.replace(/^(\*\*\/)+/, '')))
    return { matches, reaches: () => false, coversAll: covering(matches), ...present({ literal }) }
  }
  const pattern = anchored ?? join(escapeGlob(anchors.cwd), text)
  const patterns = behavior === 'allow' && !spec.endsWith('/') ? [pattern] : withBelow(pattern)
  const base = literalPart(pattern)
  const matches = behavior === 'allow' ? asSpelled(patterns) : inAnySpelling(patterns)
  return {
    matches,
    coversAll: covering(matches),
    ...present({ literal: literalPlace(pattern) }),
    reaches: (folder) => base.toLowerCase().startsWith(`${folder === '/' ? '' : folder.toLowerCase()}/`),
  }
}

/** A rule that takes names that no file is likely to have, at one level and at the next, takes all of them. */
function covering(matches: PathRule['matches']): PathRule['coversAll'] {
  return (folder) => matches(`${folder}/**`) && matches(`${folder}/**/**`)
}

function asSpelled(patterns: readonly string[], flags: '' | 'i' = ''): PathRule['matches'] {
  const expressions = patterns.map((one) => globExpression(one, flags))
  return (path) => expressions.some((one) => one.test(path))
}

/** Also of a name that only some file system takes for this one. */
function inAnySpelling(patterns: readonly string[]): PathRule['matches'] {
  const spelled = asSpelled(patterns, 'i')
  const all = asSpelled(patterns.map(folded))
  return (path) => spelled(path) || all(folded(path))
}

/** A folder that is forbidden is so with all that is in it, and itself where only what is in it was named. */
function withBelow(pattern: string): readonly string[] {
  const folder = pattern.replace(/(\/\*\*)+$/, '')
  return [folder, `${folder}/**`]
}

function anchor(text: string, { home, source }: Anchors): string | undefined {
  if (text.startsWith('//')) return resolve('/', text.slice(1))
  if (text === '~' || text.startsWith('~/')) return join(escapeGlob(home), text.slice(1))
  const ofHome = /^(\$HOME|\$\{HOME\})(?=\/|$)/.exec(text)?.[0]
  if (ofHome !== undefined) return join(escapeGlob(home), text.slice(ofHome.length))
  return text.startsWith('/') ? join(escapeGlob(source), text) : undefined
}

function literalPlace(pattern: string): string | undefined {
  const folder = pattern.replace(/(\/\*\*)+$/, '')
  const isPattern = /[*?[]/.test(folder.replace(/\\./g, ''))
  return isPattern || folder === '' ? undefined : folder.replace(/\\(.)/g, '$1')
}

/** The folders and names before the first that may be more than one. */
function literalPart(pattern: string): string {
  const [literal = ''] = pattern.split(/[^/]*[*?[\\]/, 1)
  return literal
}
