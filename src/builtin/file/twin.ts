import { basename, dirname, join } from 'node:path'
import { isSurvivable } from '../../error.ts'
import { foldTypography } from '../edit/folded-text.ts'
import { displayPath, type Workspace } from '../workspace.ts'
import type { LocatedFile } from './located-file.ts'
import { readableNames } from './readable-names.ts'

/**
 * Finds names beside a missing path that look the same: letters composed differently, or typographic quotes, dashes or spaces. Reads
 * the folder that was judged.
 */
export async function twinsBeside(
  workspace: Workspace,
  { path, real }: LocatedFile,
  signal: AbortSignal,
): Promise<readonly LocatedFile[]> {
  const [named, folder] = [dirname(path), dirname(real)]
  try {
    const all = await workspace.artifacts.listDir(folder, { followLinks: false, signal })
    const names = readableNames(workspace, { path: named, real: folder }, all)
    return twinsOf(basename(path), names).map((name) => {
      const twin = join(named, name)
      return { path: twin, real: join(folder, name), shown: displayPath(workspace, twin) }
    })
  } catch (error) {
    if (!isSurvivable(error)) throw error
    return []
  }
}

/** The names that look like this one. Empty if the name itself is among them. */
export function twinsOf(name: string, names: readonly string[]): readonly string[] {
  const own = names.map((one) => one.replace(/\/$/, ''))
  return own.includes(name) ? [] : own.filter((one) => folded(one) === folded(name))
}

/** Advice for the model, which cannot tell such names apart. */
export function twinAdvice(names: readonly string[]): string {
  const spelt = names.map(withEscapes).join(', ')
  return `beside it is ${spelt}: the same letters in other code points, so give the path with these escapes`
}

/** Quotes a path as JSON in plain ASCII. */
export function withEscapes(path: string): string {
  const code = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(path).replace(/[^ -~]/g, code)
}

// NFC first: folding composes only letters with combining marks, and Korean letters are not.
const folded = (name: string): string => foldTypography(name.normalize('NFC')).text
