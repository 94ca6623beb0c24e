import { dirname } from 'node:path'

const wildcard = /[*?[{!(\\]/

/** A search for files, as who judges it and who carries it out understand it. */
export interface GlobSearch {
  /** The folder or file that it begins at and never leaves: relative, absolute, or below `~`. */
  readonly root: string
  /** The glob from there on; `undefined` where that means all there is, or where `root` says it all. */
  readonly pattern: string | undefined
}

/**
 * What a glob in a folder says by name, and what by wildcards: `src/*.ts` is `./*.ts` in `src`. Who names folders means them, even
 * where they are ignored, and is told when they do not exist. Without a slash it names none: `*.ts` holds at any depth. One that
 * begins with `/` or `~/` begins there, whatever `path` is. Several globs with a comma or a space between are alternatives, as in
 * `{…}`. `path`: the project where it is left out, or empty.
 */
export function splitGlob(glob: string, path?: string): GlobSearch {
  const { folder, pattern } = split(asOne(glob))
  if (folder === '') return { root: path || '.', pattern }
  const isAnchored = /^(\/|~(\/|$))/.test(folder)
  return { root: !path || isAnchored ? folder : `${path}/${folder}`, pattern }
}

/** One glob of several; what is no list of globs, as a name with a space is none, stays as it is. */
function asOne(glob: string): string {
  // Not within braces, nor within brackets.
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
