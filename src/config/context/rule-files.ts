import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { systemCode } from '../../files/system-error.ts'
import { expandBraces } from '../../globs/braces.ts'
import { matchesAny } from '../../globs/compile-glob.ts'
import { isWithin } from '../../machine/path.ts'
import { readList } from '../agents/front-matter.ts'
import { splitLeniently } from '../skills/lenient-fields.ts'

/** Most rules below a folder, and how deep they may lie. */
const mostFiles = 100
const deepest = 5

/** Lists the rules below a folder in the order of their names. Does not follow links to folders. */
export function ruleFiles(folder: string): readonly string[] {
  const files: string[] = []
  const walk = (at: string, depth: number): void => {
    for (const { name, isFolder } of entriesIn(at)) {
      if (files.length === mostFiles) return
      if (isFolder) depth < deepest && walk(join(at, name), depth + 1)
      else if (name.endsWith('.md')) files.push(join(at, name))
    }
  }
  walk(folder, 1)
  return files
}

function entriesIn(folder: string): readonly { readonly name: string; readonly isFolder: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return []
  }
}

/** A rule without its fields. */
export interface InstructionRule {
  readonly text: string
  /** Globs of the files that it is about. Absent: it is about all work. */
  readonly globs?: readonly string[]
  /** Why its globs cannot be read, so that it counts for all work. */
  readonly fault?: string
}

/** Reads the text of a rule's file. */
export function readRuleText(text: string): InstructionRule {
  if (!/^\ufeff?---[ \t]*\r?\n/.test(text)) return { text }
  const { fields, body } = splitLeniently(text)
  const field = fields.find(({ name }) => name === 'paths')
  if (field === undefined) return { text: body }
  const list = readList(field)
  if (list.type === 'refused') return { text: body, fault: list.reason }
  const globs = list.value.filter((glob) => glob !== '')
  return globs.length === 0 || globs.includes('**') ? { text: body } : { text: body, globs }
}

/** More than anyone writes by hand. */
const mostAlternatives = 64

/** Returns a test for files that globs of a rule are about. A glob is relative to `base`; one that is only a name means it at any depth. */
export function scopeOf(globs: readonly string[], base: string): (path: string) => boolean {
  const patterns = globs
    .flatMap((glob) => expandBraces(glob, { most: mostAlternatives }) ?? [])
    .map((glob) => glob.replace(/^\.?\/+/, '').replace(/\/+$/, ''))
    .map((glob) => (glob.includes('/') ? glob : `**/${glob}`))
  const matches = matchesAny(patterns.flatMap((glob) => [glob, `${glob}/**`]))
  return (path) => isWithin(path, base) && matches(relative(base, path))
}
