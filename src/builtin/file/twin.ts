import { basename, dirname, join } from 'node:path'
import { isPipeError } from '../../error.ts'
import { foldTypography } from '../edit/folded-text.ts'
import { displayPath, type Workspace } from '../workspace.ts'
import type { Place } from './place.ts'
import { readableNames } from './readable-names.ts'

/**
 * What is beside a path that does not exist under a name that looks the same: its letters are composed or not, its quotes, dashes
 * and spaces are typographic. It lies in the folder that was judged.
 */
export async function twinsBeside(
  workspace: Workspace,
  { path, real }: Place,
  signal: AbortSignal,
): Promise<readonly Place[]> {
  const [named, folder] = [dirname(path), dirname(real)]
  try {
    const all = await workspace.artifacts.listDir(folder, { followLinks: false, signal })
    const names = readableNames(workspace, { path: named, real: folder }, all)
    return twinsOf(basename(path), names).map((name) => {
      const twin = join(named, name)
      return { path: twin, real: join(folder, name), shown: displayPath(workspace, twin) }
    })
  } catch (error) {
    if (!isPipeError(error) || error.code === 'aborted') throw error
    return []
  }
}

/** Of the names in a folder those that look like this one, which is not among them. */
export function twinsOf(name: string, names: readonly string[]): readonly string[] {
  const own = names.map((one) => one.replace(/\/$/, ''))
  return own.includes(name) ? [] : own.filter((one) => folded(one) === folded(name))
}

/** For the model, which sees no difference between two such names. */
export function twinAdvice(names: readonly string[]): string {
  const spelt = names.map(withEscapes).join(', ')
  return `beside it is ${spelt}: the same letters in other code points, so give the path with these escapes`
}

/** As JSON has it in ASCII alone. */
export function withEscapes(path: string): string {
  const code = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(path).replace(/[^ -~]/g, code)
}

// Not all letters are composed of marks: those of Korean are not.
const folded = (name: string): string => foldTypography(name.normalize('NFC')).text
