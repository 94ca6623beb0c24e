import { dirname, join, relative, resolve } from 'node:path'
import { PipeError } from '../error.ts'
import { cutToBytes, readTextStart } from './context-file.ts'
import { findRoot, holds, statsOf } from './trust/project-root.ts'

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

/** Instructions that the model does not get, or not as a whole. */
export interface ContextFault {
  /** Absolute. */
  readonly path: string
  /** The fate of the file, as the end of a sentence that begins with its name. */
  readonly what: string
  /** Whether the file is at fault. The others are only too long, or lead out of the project. */
  readonly isBroken: boolean
}

export interface ContextFiles {
  readonly files: readonly ContextFile[]
  readonly faults: readonly ContextFault[]
}

/**
 * Reads the user's own instructions, then AGENTS.md or else CLAUDE.md of each folder from the project root down to `cwd`, the first of
 * both that has text. Cuts the total to 32 KiB, the nearest file last. Leaves out binary and unreadable files and links out of the
 * project.
 */
export function readContextFiles(options: { readonly cwd: string; readonly config: string }): ContextFiles {
  const { cwd, config } = options
  const root = projectRoot(cwd)
  const folders = [...new Set([config, ...pathDown(root, cwd)])]
  const found = folders.map((folder) => readFirst(folder, folder === config ? undefined : root))
  const faults = found.flatMap((one) => one.faults)
  let left = budget
  const files: ContextFile[] = []
  for (const { file } of found.reverse()) {
    if (file === undefined) continue
    const { path, text, isWhole } = file
    const start = cutToBytes(text, left)
    const truncated = start !== text || !isWhole
    left -= Buffer.byteLength(start)
    if (start.trim() !== '') files.push({ path, text: start, truncated, isOwn: dirname(path) === config })
    if (truncated) faults.push({ path, what: cutNote(start), isBroken: false })
  }
  return { files: files.reverse(), faults }
}

function cutNote(start: string): string {
  const limit = `instructions may have ${budget / 1024} KiB in all`
  return start.trim() === ''
    ? `is left out: ${limit}, and nearer files fill them`
    : `is cut after ${Buffer.byteLength(start)} bytes: ${limit}`
}

interface Found {
  readonly file?: { readonly path: string; readonly text: string; readonly isWhole: boolean }
  readonly faults: readonly ContextFault[]
}

/** Reads the first file of instructions in a folder that has text. A link must not lead out of `root`. */
function readFirst(folder: string, root: string | undefined): Found {
  const faults: ContextFault[] = []
  for (const path of names.map((name) => join(folder, name)).filter(isFile)) {
    // It would send some other file to the model.
    if (root !== undefined && !holds(root, path)) {
      faults.push({ path, what: 'is left out: it is a link out of the project', isBroken: false })
      continue
    }
    try {
      // Twice the size, because text in UTF-16 may need only half of it in UTF-8.
      const start = readTextStart(path, 2 * budget)
      if (start === undefined) faults.push({ path, what: 'is left out: it is binary', isBroken: true })
      else if (start.text.trim() !== '') return { file: { path, ...start }, faults }
    } catch (error) {
      faults.push({ path, what: `is left out: ${messageOf(error)}`, isBroken: true })
    }
  }
  return { faults }
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
  if (!isFile(path)) return ''
  try {
    return readTextStart(path, limit)?.text ?? ''
  } catch (error) {
    throw new PipeError('config', `cannot read ${path}: ${messageOf(error)}`, { cause: error })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
