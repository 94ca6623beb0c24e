import { posix } from 'node:path'
import { unreachable } from '../error.ts'
import { type Artifact, artifactTypeOf } from '../machine/artifact.ts'
import type { ArtifactRef } from '../task.ts'

/** The forms of a reference, for messages. */
export const referenceForms = 'a.ts:10-40, plan.md#goals, asset:ID or cite:KEY'

/**
 * Reads a reference, with or without an `@` before it: `a.ts:10-40`, `a.ts:10`, `a.ts#L10-L40`, `plan.md#goals`, `asset:ID`, `cite:KEY`.
 * Returns `undefined` for anything else, and for a path that leaves its folder.
 */
export function parseReference(text: string): ArtifactRef | undefined {
  const written = text.startsWith('@') ? text.slice(1) : text
  const [, kind, name] = /^(asset|cite):(.+)$/s.exec(written) ?? []
  if (name !== undefined)
    return kind === 'asset' ? { kind: 'asset', assetId: name } : { kind: 'citation', citeKey: name }
  const part = parseFilePart(written)
  if (part === undefined) return undefined
  const path = posix.normalize(part.path)
  if (posix.isAbsolute(path) || path === '..' || path.startsWith('../')) return undefined
  if ('heading' in part) return { kind: 'outline_anchor', sectionId: `${path}#${part.heading}` }
  return { kind: 'file_range', path, lineStart: part.first, lineEnd: part.last }
}

/** Lines of a file, counted from 1, inclusive, or the section under a heading. */
export type FilePart =
  | { readonly path: string; readonly first: number; readonly last: number }
  | { readonly path: string; readonly heading: string }

/** Reads `a.ts:10-40`, `a.ts:10`, `a.ts#L10-L40`, `plan.md#goals`; `undefined` for anything else. */
export function parseFilePart(text: string): FilePart | undefined {
  const [, path, from, to = from] = /^(.+)(?::|#L)(\d{1,9})(?:-L?(\d{1,9}))?$/s.exec(text) ?? []
  if (path !== undefined) {
    const [first, last] = [Number(from), Number(to)]
    return first < 1 || last < first ? undefined : { path, first, last }
  }
  const [, file, heading] = /^([^#]+)#([^#]+)$/s.exec(text) ?? []
  return file === undefined || heading === undefined ? undefined : { path: file, heading }
}

/** Returns the file that a reference is about. Assets and sources are known by their ids alone. */
export function artifactOf(ref: ArtifactRef): Artifact | undefined {
  const id = formatReference(ref)
  const path = ref.kind === 'file_range' ? ref.path : parseFilePart(id)?.path
  if (ref.kind === 'asset' || ref.kind === 'citation' || path === undefined) return undefined
  return { id, type: artifactTypeOf(path), path }
}

/** Describes a reference, with what it is about: `plan.md#goals (other)`, `asset:logo (asset)`. */
export function describeReference(ref: ArtifactRef): string {
  return `${formatReference(ref)} (${artifactOf(ref)?.type ?? ref.kind})`
}

/** Writes a reference as `parseReference` reads it. */
export function formatReference(ref: ArtifactRef): string {
  switch (ref.kind) {
    case 'file_range':
      return `${ref.path}:${ref.lineStart}-${ref.lineEnd}`
    case 'outline_anchor':
      return ref.sectionId
    case 'asset':
      return `asset:${ref.assetId}`
    case 'citation':
      return `cite:${ref.citeKey}`
    default:
      return unreachable(ref)
  }
}
