import { dirname, join } from 'node:path'
import { resolvePath, type Workspace } from './workspace.ts'

const wildcard = /[*?[{!(\\]/

export interface SplitGlob {
  /** The folders that a glob begins with by name, if any. */
  readonly folder: string
  /** The glob from there on; `undefined` where that means all there is, or where `folder` is the whole path. */
  readonly pattern: string | undefined
}

/**
 * What a glob says by name, and what by wildcards: `src/*.ts` is `./*.ts` in `src`. Who names folders means them, even where they
 * are ignored, and is told when they do not exist. Without a slash there is no folder: `*.ts` holds at any depth.
 */
export function splitGlob(glob: string): SplitGlob {
  if (!glob.includes('/')) return { folder: '', pattern: glob === '**' ? undefined : glob }
  const wild = glob.search(wildcard)
  if (wild === -1) return { folder: glob, pattern: undefined }
  const folder = dirname(`${glob.slice(0, wild)}x`)
  if (folder === '.' && !glob.startsWith('./')) return { folder: '', pattern: glob }
  const rest = glob.slice(folder.length).replace(/^\/+/, '')
  return { folder, pattern: rest === '**' ? undefined : `./${rest}` }
}

/** Where a search begins: the folder of a glob, in `path` unless it is absolute or below `~`. */
export function searchRoot(workspace: Workspace, path: string | undefined, folder: string): string {
  if (/^(\/|~(\/|$))/.test(folder)) return resolvePath(workspace, folder)
  return join(resolvePath(workspace, path ?? '.'), folder)
}

/** The glob as one of names at any depth, where it says no more than that and every program reads it alike. */
export function nameGlob(glob: string): string | undefined {
  const name = glob.replace(/^(\.\/)?(\*\*\/)+/, '')
  return /^([\w.*?-]|\{[\w.*?-]+(,[\w.*?-]+)+\})+$/.test(name) ? name : undefined
}
