import { join } from 'node:path'
import { anyBetween, escapeExpression, globFolder } from './glob.ts'
import type { Paths } from './paths.ts'

/** Directory entries to look at for one glob. */
const mostNames = 2_000

/** The matches of a glob in the file system now. */
export interface GlobMatches {
  /** Whether anything matches. */
  readonly isAny: boolean
  /** Real paths of all matches. */
  readonly found: readonly string[]
  /** Real paths of the matches that were reached through a symlink. */
  readonly linked: readonly string[]
  /** A matching name begins with a dash, so a command may take it for an option. */
  readonly dashed: boolean
}

interface FoundPath {
  readonly real: string
  readonly isLinked: boolean
}

/**
 * Looks up the matches of an absolute glob; may find more than bash would. `undefined` if there are too many entries; no matches
 * if the folder does not exist. `hidden`: `*` also matches names that begin with a dot.
 */
export async function globMatches(
  glob: string,
  paths: Paths,
  hidden = true,
): Promise<GlobMatches | undefined> {
  const base = globFolder(glob)
  const [written, real] = await paths.both(base)
  let level: readonly FoundPath[] = [{ real, isLinked: written !== real }]
  let left = mostNames
  let dashed = false
  const segments = glob.slice(base === '/' ? 1 : base.length + 1).split('/')
  for (const segment of segments) {
    const answers = /[*?[]/.test(segment) ? namesOf(segment, hidden) : undefined
    const found: FoundPath[] = []
    for (const path of level) {
      const entries = answers === undefined ? [{ name: segment }] : await paths.list(path.real, left + 1)
      left -= entries.length
      if (left < 0) return undefined
      for (const entry of entries) {
        if (answers?.(entry.name) === false) continue
        dashed ||= answers !== undefined && entry.name.startsWith('-')
        found.push(await follow(path, entry, paths))
      }
    }
    level = found
  }
  const linked = level.filter(({ isLinked }) => isLinked).map((path) => path.real)
  return { isAny: level.length > 0, found: level.map((path) => path.real), linked, dashed }
}

async function follow(
  { real: folder, isLinked }: FoundPath,
  { name, isLink = true }: { readonly name: string; readonly isLink?: boolean },
  paths: Paths,
): Promise<FoundPath> {
  const path = join(folder, name)
  if (!isLink) return { real: path, isLinked }
  const [, real] = await paths.both(path)
  return { real, isLinked: isLinked || real !== path }
}

/** Characters. No file name is half as long, and a much longer pattern does not compile: it counts as matching any name. */
const longestPart = 1_000

/**
 * Tests names against one segment of a glob, whichever of its letters were quoted. `hidden`: `*` also matches names that begin
 * with a dot.
 */
export function namesOf(segment: string, hidden: boolean): (name: string) => boolean {
  const shorter = segment.replace(/\*{2,}/g, '*')
  const expression = shorter.length > longestPart ? /^/ : nameExpression(shorter)
  return (name) => (hidden || !name.startsWith('.') || segment.startsWith('.')) && expression.test(name)
}

/** Matches every name that a segment may stand for, whichever of its letters were quoted. */
function nameExpression(segment: string): RegExp {
  const [open, close] = [segment.indexOf('['), segment.lastIndexOf(']')]
  if (open === -1 || close <= open + 1) return expressionOf(wildcards(segment))
  const [head, set, tail] = [segment.slice(0, open), segment.slice(open + 1, close), segment.slice(close + 1)]
  if (!/^\w+$/.test(set)) return expressionOf([...wildcards(head), ...wildcards(tail)])
  const [before, after] = [wildcards(head), wildcards(tail)]
  const middle = `${before.pop()}(?:[${set}]|\\[${set}\\])${after.shift()}`
  return expressionOf([...before, middle, ...after])
}

function expressionOf(pieces: readonly string[]): RegExp {
  return new RegExp(`^${anyBetween(pieces, '[^]')}$`)
}

/** Escapes the text between the stars. */
function wildcards(text: string): string[] {
  return text.split('*').map((piece) => escapeExpression(piece).replaceAll('\\?', '[^]'))
}
