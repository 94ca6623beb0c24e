import { dirname } from 'node:path'

const wildcard = /[*?[{!(\\]/

/** A file search, understood alike by permission checks and tools. */
export interface GlobSearch {
  /** The folder or file to search: relative, absolute, or below `~`. */
  readonly root: string
  /** The glob relative to `root`; `undefined` for everything below or `root` itself. */
  readonly pattern: string | undefined
}

/**
 * Splits a glob into its literal folder and its wildcards: `src/*.ts` becomes `./*.ts` in `src`. A glob that begins with `/` or `~/`
 * ignores `path`, whose default is the project. Globs separated by commas or spaces are alternatives, as in `{…}`.
 */
export function splitGlob(glob: string, path?: string): GlobSearch {
  const { folder, pattern } = split(asOne(glob))
  if (folder === '') return { root: path || '.', pattern }
  const isAnchored = /^(\/|~(\/|$))/.test(folder)
  return { root: !path || isAnchored ? folder : `${path}/${folder}`, pattern }
}

/** Joins several globs into one. Other text stays as it is, such as a name with a space. */
function asOne(glob: string): string {
  // Does not split within braces or brackets.
  const globs = glob.match(/(?:\{(?:[^{}]|\{[^{}]*\})*\}|\[[^\]]*\]|\\.|[^,\s])+/gs) ?? []
  if (globs.length < 2 || globs.some((one) => !one.includes('*') || one.startsWith('!'))) return glob
  if (globs.every((one) => !one.includes('/'))) return `{${globs.join(',')}}`
  const fromHere = globs.map((one) => (one.includes('/') ? one.replace(/^\.\//, '') : `**/${one}`))
  return `./{${fromHere.join(',')}}`
}

function split(glob: string): { readonly folder: string; readonly pattern: string | undefined } {
  if (!glob.includes('/')) return { folder: '', pattern: glob === '**' ? undefined : glob }
  const wild = glob.search(wildcard)
  if (wild === -1) return { folder: glob, pattern: undefined }
  const folder = dirname(`${glob.slice(0, wild)}x`)
  if (folder === '.' && !glob.startsWith('./')) return { folder: '', pattern: glob }
  const rest = glob.slice(folder.length).replace(/^\/+/, '')
  return { folder, pattern: rest === '**' ? undefined : `./${rest}` }
}
