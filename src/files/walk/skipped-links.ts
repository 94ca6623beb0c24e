import { isPipeError } from '../../error.ts'
import { lookThrough } from '../look.ts'
import { type WalkOptions, walk } from './walk.ts'

/** Entries of folders that are looked at, which takes at most some tenths of a second. */
const mostEntries = 10_000
/** Links whose targets are looked at. */
const mostLinks = 50

/**
 * Returns the links that a walk with this pattern would pass by: those to folders in which something may match, and to matching files, in
 * order. Absolute. Looks at a part of a very large folder only, and at nothing once the signal fires.
 */
export async function skippedLinks(
  root: string,
  options: Pick<WalkOptions, 'pattern' | 'signal'>,
): Promise<readonly string[]> {
  const links = new LinkList()
  try {
    for await (const _ of walk(root, { ...options, mostEntries, onLink: links.add }));
  } catch (error) {
    // The search itself says what is wrong.
    if (!isPipeError(error)) throw error
  }
  return links.found()
}

/** Collects the links that a walk passes by. */
export class LinkList {
  readonly #links: { readonly path: string; readonly matches: boolean }[] = []

  /** `matches`: a file of this name is wanted; else only a folder is. */
  readonly add = (path: string, matches: boolean): void => {
    if (this.#links.length < mostLinks) this.#links.push({ path, matches })
  }

  /** Returns those that lead to a wanted file or to a folder, in order. */
  found(): readonly string[] {
    const isWanted = ({ path, matches }: { readonly path: string; readonly matches: boolean }) => {
      const target = lookThrough(path)
      return target?.isDirectory() === true || (matches && target?.isFile() === true)
    }
    return this.#links
      .filter(isWanted)
      .map(({ path }) => path)
      .sort()
  }
}
