import { closeSync, openSync, readSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { PipeError } from '../error.ts'
import { findRoot, holds, statsOf } from './project-root.ts'

/** Limit of all context files together, in bytes. */
const budget = 32 * 1024
const names = ['AGENTS.md', 'CLAUDE.md']

export interface ContextFile {
  /** Absolute. */
  readonly path: string
  readonly text: string
  readonly truncated: boolean
  /** The user's own file, not one from the project. */
  readonly isOwn: boolean
}

/**
 * Reads the user's own instructions, then AGENTS.md or else CLAUDE.md of each folder from the project root down to `cwd`. Cuts the
 * total to 32 KiB, the nearest file last. Skips links out of the project. Throws `config` for an unreadable file.
 */
export function readContextFiles(options: { readonly cwd: string; readonly config: string }): ContextFile[] {
  const { cwd, config } = options
  const root = projectRoot(cwd)
  const folders = new Set([config, ...pathDown(root, cwd)])
  const found = [...folders].flatMap((folder) => {
    const paths = names.map((name) => join(folder, name))
    // A link out of the project would send some other file to the model.
    const path = paths.find((one) => isFile(one) && (folder === config || holds(root, one)))
    return path === undefined ? [] : [path]
  })
  let left = budget
  const files: ContextFile[] = []
  for (const path of found.reverse()) {
    const { text, bytes, truncated } = readStart(path, left)
    left -= bytes
    if (text.trim() !== '') files.push({ path, text, truncated, isOwn: dirname(path) === config })
  }
  return files.reverse()
}

/** Reads the branch from `.git/HEAD` without running git. Returns `undefined` outside a repository or on a detached HEAD. */
export function readBranch(cwd: string): string | undefined {
  const head = textIn(join(gitFolder(cwd), 'HEAD'))
  return /^ref: refs\/heads\/([^\s\p{C}]{1,255})\s*$/u.exec(head)?.[1]
}

/** Reads the id of the current commit without running git. Returns `undefined` outside a repository or before its first commit. */
export function readCommit(cwd: string): string | undefined {
  const git = gitFolder(cwd)
  const head = textIn(join(git, 'HEAD'))
  const ref = /^ref: (refs\/[^\s\p{C}]{1,255})\s*$/u.exec(head)?.[1]
  if (ref === undefined) return commitAt(head)
  const shared = sharedFolder(git)
  const packed = () => textIn(join(shared, 'packed-refs'), maxPackedRefs)
  return commitAt(textIn(join(shared, ref))) ?? packedCommit(packed(), ref)
}

/** Returns the folder with the objects of the repository around `cwd`. It may not exist. */
export function objectsFolder(cwd: string): string {
  return join(sharedFolder(gitFolder(cwd)), 'objects')
}

/** A worktree shares the refs and objects of its repository. */
function sharedFolder(git: string): string {
  return resolve(git, textIn(join(git, 'commondir')).trim())
}

/** Bytes of `packed-refs` that are read: some 50,000 refs. */
const maxPackedRefs = 4 * 1024 * 1024

function packedCommit(refs: string, ref: string): string | undefined {
  const end = refs.indexOf(` ${ref}\n`)
  return end < 0 ? undefined : commitAt(refs.slice(refs.lastIndexOf('\n', end) + 1, end))
}

function commitAt(text: string): string | undefined {
  return /^[0-9a-f]{40}([0-9a-f]{24})?$/.exec(text.trim())?.[0]
}

/** Returns the folder of the repository around `cwd`, also of a worktree or submodule. It may not exist. */
function gitFolder(cwd: string): string {
  const root = projectRoot(cwd)
  const git = join(root, '.git')
  return isFile(git) ? resolve(root, readGitPointer(git)) : git
}

/** Reads the target of a worktree's or submodule's `.git` file: absolute, or relative to its folder. */
function readGitPointer(git: string): string {
  return textIn(git)
    .replace(/^gitdir: /, '')
    .trim()
}

/** Returns the repository's root, or `cwd` outside a repository. */
function projectRoot(cwd: string): string {
  return findRoot(cwd, ['.git'])
}

function pathDown(root: string, cwd: string): string[] {
  const steps = relative(root, cwd).split('/').filter(Boolean)
  return [root, ...steps.map((_, i) => join(root, ...steps.slice(0, i + 1)))]
}

function isFile(path: string): boolean {
  return statsOf(path)?.isFile() ?? false
}

/** Reads the beginning of a file; an empty text if there is none. */
function textIn(path: string, limit = 4096): string {
  return isFile(path) ? readStart(path, limit).text : ''
}

function open(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new PipeError('config', `cannot read ${path}: ${reason}`, { cause: error })
  }
}

/** Reads the first `limit` bytes as text. Drops a character that the limit cuts. */
function readStart(path: string, limit: number): { text: string; bytes: number; truncated: boolean } {
  const descriptor = open(path)
  try {
    const buffer = new Uint8Array(limit + 1)
    const read = readSync(descriptor, buffer)
    const bytes = Math.min(read, limit)
    const truncated = read > limit
    const text = new TextDecoder().decode(buffer.subarray(0, bytes), { stream: truncated })
    return { text, bytes, truncated }
  } finally {
    closeSync(descriptor)
  }
}
