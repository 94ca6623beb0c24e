import type { JsonObject } from '../json-value.ts'
import { present } from '../present.ts'
import { limits } from './limits.ts'
import { unifiedDiff } from './line-diff.ts'
import { decodeExactly, revisionOf } from './text-file.ts'

/** What people and audits learn of a changed file: its path, its revisions, and the diff where both are text of a sane size. */
export function changeDetails(path: string, before: Uint8Array | undefined, after: Uint8Array): JsonObject {
  return {
    path,
    ...present({ before: before && revisionOf(before), diff: before && diff(path, before, after) }),
    after: revisionOf(after),
  }
}

function diff(path: string, before: Uint8Array, after: Uint8Array): string | undefined {
  const [old, new_] = [decodeExactly(before), decodeExactly(after)]
  if (old === undefined || new_ === undefined) return undefined
  const text = unifiedDiff(path, old, new_)
  return Buffer.byteLength(text) > limits.diffBytes ? undefined : text
}
