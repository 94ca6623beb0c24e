import { posix } from 'node:path'
import { unreachable } from '../error.ts'
import type { ArtifactRef } from '../task.ts'

/** The forms of a reference, for messages. */
export const referenceForms = 'a.ts:10-40, plan.md#goals, asset:ID or cite:KEY'

/**
 * Reads a reference, with or without an `@` before it: `a.ts:10-40`, `a.ts:10`, `plan.md#goals`, `asset:ID`, `cite:KEY`. Returns
 * `undefined` for anything else, and for a path that leaves its folder.
 */
export function parseReference(text: string): ArtifactRef | undefined {
  const written = text.startsWith('@') ? text.slice(1) : text
  const [, kind, name] = /^(asset|cite):(.+)$/s.exec(written) ?? []
  if (name !== undefined)
    return kind === 'asset' ? { kind: 'asset', assetId: name } : { kind: 'citation', citeKey: name }
  const [, named, first, last = first] = /^(.+):(\d{1,9})(?:-(\d{1,9}))?$/s.exec(written) ?? []
  if (named !== undefined) return fileRange(named, Number(first), Number(last))
  return /^[^#]+#[^#]+$/s.test(written) ? { kind: 'outline_anchor', sectionId: written } : undefined
}

function fileRange(named: string, lineStart: number, lineEnd: number): ArtifactRef | undefined {
  const path = posix.normalize(named)
  const isOutside = posix.isAbsolute(path) || path === '..' || path.startsWith('../')
  if (isOutside || lineStart < 1 || lineEnd < lineStart) return undefined
  return { kind: 'file_range', path, lineStart, lineEnd }
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
