import { type Dirent, readdirSync, readlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** A folder with more was not made by hand, nor is what git keeps of objects looked through. */
const mostEntries = 1_000

/**
 * The links directly in a protected folder and in the folders in it, of a repository only in its `hooks`: what they lead to decides
 * what is run just as well. None where it is no folder.
 */
export function linksIn(folder: string): readonly string[] {
  const entries = list(folder)
  const isRepository = entries.some(({ name }) => name === 'HEAD')
  const inner = entries.filter((one) => one.isDirectory() && (!isRepository || one.name === 'hooks'))
  const all = [folder, ...inner.map(({ name }) => join(folder, name))].flatMap((one) =>
    (one === folder ? entries : list(one)).flatMap((entry) =>
      entry.isSymbolicLink() ? [join(one, entry.name)] : [],
    ),
  )
  return all.slice(0, mostEntries)
}

/** What a link names, which may be another one; the link itself where it is gone. No folder that it lies in is a link. */
export function nextOf(link: string): string {
  try {
    return resolve(dirname(link), readlinkSync(link))
  } catch {
    return link
  }
}

function list(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).slice(0, mostEntries)
  } catch {
    return []
  }
}
