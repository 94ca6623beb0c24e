import { join, resolve } from 'node:path'
import { errorText, PipeError } from '../error.ts'
import { lookThrough } from '../files/look.ts'
import { readTextStart } from './text-start.ts'
import { findRoot } from './trust/project-root.ts'

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
export function projectRoot(cwd: string): string {
  return findRoot(cwd, ['.git'])
}

function isFile(path: string): boolean {
  return lookThrough(path)?.isFile() ?? false
}

/** Reads the beginning of a file; an empty text if there is none. */
function textIn(path: string, limit = 4096): string {
  if (!isFile(path)) return ''
  try {
    return readTextStart(path, limit)?.text ?? ''
  } catch (error) {
    throw new PipeError('config', `cannot read ${path}: ${errorText(error)}`, { cause: error })
  }
}
