import { readFileSync } from 'node:fs'
import { isPipeError } from '../error.ts'
import { systemCode } from '../files/system-error.ts'
import { isJsonObject, type JsonObject, parseJson } from '../json-value.ts'
import { entryHash, readTree, type TreeEntry, treeHash } from './content-tree.ts'

/** Writes what tells later that files are unchanged, without reading them. */
export function encodeStamps(entries: readonly TreeEntry[], hashes: readonly string[]): JsonObject {
  return {
    files: Object.fromEntries(
      entries.map(({ path, size, modified, changed }, i) => [
        path,
        [size, modified, changed, hashes[i] ?? ''],
      ]),
    ),
  }
}

export interface PinnedContent {
  readonly root: string
  /** The file of its stamps. */
  readonly stamps: string
  /** From `treeHash`. */
  readonly hash: string
  readonly more: string
}

/** Whether a plugin's files are what was approved. Reads only files whose size or times differ from their stamps. */
export function isUnchanged({ root, stamps, hash, more }: PinnedContent): boolean {
  try {
    const { entries, notes } = readTree(root)
    if (notes.length > 0) return false
    const known = readStamps(stamps)
    return (
      treeHash(
        entries,
        entries.map((entry) => knownHash(entry, known) ?? entryHash(root, entry)),
        more,
      ) === hash
    )
  } catch (error) {
    if (!isPipeError(error)) throw error
    return false
  }
}

function knownHash({ path, size, modified, changed }: TreeEntry, known: JsonObject): string | undefined {
  const stamp = Object.hasOwn(known, path) ? known[path] : undefined
  if (!Array.isArray(stamp)) return undefined
  const [knownSize, knownModified, knownChanged, hash] = stamp
  const isSame = knownSize === size && knownModified === modified && knownChanged === changed
  return isSame && typeof hash === 'string' ? hash : undefined
}

/** Without stamps every file is read. */
function readStamps(path: string): JsonObject {
  try {
    const document = parseJson(readFileSync(path, 'utf8'))
    const files = isJsonObject(document) ? document['files'] : undefined
    return isJsonObject(files) ? files : {}
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return {}
  }
}
