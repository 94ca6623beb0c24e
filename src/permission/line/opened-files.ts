import { ok, type Result, refused } from '../../machine/result.ts'
import { opensFile } from '../bash/descriptors.ts'
import type { Redirect, Word } from '../bash/syntax.ts'
import type { FileUse } from '../command-line.ts'
import { systemName } from '../programs/command-name.ts'
import { programOf } from '../programs/program-table.ts'
import { followsLinks } from '../programs/recursive.ts'
import { type CommandFolders, hereText, type Literal, readLiteral } from './literal.ts'

/** The files that a read-only command opens: given ones, those that links lead to, and those that its globs may match. */
export function readsOf(literals: readonly Literal[], read: readonly string[]) {
  const [name = '', ...args] = literals.map(({ text }) => text)
  const { keepsGlobs, printsNames, opensFound } = programOf(systemName(name))?.reads ?? {}
  const follows = followsLinks(systemName(name), args) ?? (opensFound?.(args) ? 'given' : undefined)
  const files = [...read]
  const isStray = (path: string) => {
    const at = files.indexOf(path)
    return at === -1 || files.splice(at, 1).length === 0
  }
  const strays = keepsGlobs
    ? []
    : literals.filter(({ path, glob }) => glob && isStray(path)).map(({ path }) => path)
  const use = (by: FileUse['by']) => (text: string) => ({
    text,
    access: 'read' as const,
    by,
    glob: by === 'argument' || /[*?[]/.test(text),
  })
  return [
    ...[...read, ...(follows === 'here' ? ['.'] : [])].map(use(follows === undefined ? 'word' : 'links')),
    ...strays.map(use(printsNames ? 'word' : 'argument')),
  ]
}

const opens: Readonly<Record<string, readonly FileUse['access'][]>> = {
  '<': ['read'],
  '<>': ['read', 'write'],
  '>': ['write'],
  '>>': ['write'],
  '>|': ['write'],
  '&>': ['write'],
  '&>>': ['write'],
  '>&': ['write'],
  '<&': ['read'],
}

/** The path that a word names; empty unless its text is certain. */
export function pathOf(word: Word, around: CommandFolders): string {
  const literal = readLiteral(word, around)
  return literal.type === 'ok' ? literal.value.path : ''
}

/** A file to open, as written. */
export type OpenedFile = Omit<FileUse, 'path'> & { readonly text: string }

/** The files that a redirect opens; none if it only joins descriptors. */
export function readRedirect(redirect: Redirect, around: CommandFolders): Result<readonly OpenedFile[]> {
  const { operator, target, body } = redirect
  const literal = readLiteral(target, around)
  if (literal.type === 'refused') return literal
  const { path: text, glob } = literal.value
  if (body !== undefined)
    return hereText(redirect) !== undefined ? ok([]) : refused('it holds a here-document')
  if (glob) return refused('it redirects to a glob')
  if (!opensFile({ operator, target: text })) return ok([])
  return ok((opens[operator] ?? []).map((access) => ({ text, access, glob, by: 'redirect' as const })))
}

/** The texts of here-documents and here-strings. */
export function handedTexts(redirects: readonly Redirect[]): readonly string[] {
  return redirects
    .filter(({ operator }) => operator.startsWith('<<'))
    .map(({ target, body }) =>
      (body ?? target.parts).map((part) => (part.type === 'text' ? part.text : '')).join(''),
    )
}
