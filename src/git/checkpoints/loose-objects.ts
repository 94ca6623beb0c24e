import { renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crypto } from '../../files/lazy-crypto.ts'
import { makeFolders } from '../../files/private-folder.ts'
import { systemCode } from '../../files/system-error.ts'
import type { Shadow } from '../shadow.ts'

/** A file of a tree without folders. `id` names its blob. */
interface TreeFile {
  readonly name: string
  readonly id: string
}

/** A commit as git stores it. */
export interface CommitText {
  readonly tree: string
  /** Default: none. */
  readonly parent?: string | undefined
  /** Without `<`, `>` and line breaks. */
  readonly author: Signature
  readonly committer: Signature
  readonly message: string
}

interface Signature {
  readonly email: string
  /** In milliseconds since 1970; seconds are kept. */
  readonly at: number
}

/**
 * Writes small objects and refs of a shadow in git's own formats, without a process for each: a turn that writes one file would wait
 * for nine of them. Call these in `exclusively`.
 */
export function writeTextBlob(shadow: Shadow, content: string): string {
  return writeObject(shadow, 'blob', Buffer.from(content))
}

export function writeFlatTree(shadow: Shadow, files: readonly TreeFile[]): string {
  const sorted = files.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
  const entries = sorted.flatMap(({ name, id }) => [Buffer.from(`100644 ${name}\0`), Buffer.from(id, 'hex')])
  return writeObject(shadow, 'tree', Buffer.concat(entries))
}

export function writeCommit(
  shadow: Shadow,
  { tree, parent, author, committer, message }: CommitText,
): string {
  const lines = [
    `tree ${tree}`,
    ...(parent === undefined ? [] : [`parent ${parent}`]),
    `author ${signed(author)}`,
    `committer ${signed(committer)}`,
  ]
  return writeObject(shadow, 'commit', Buffer.from(`${lines.join('\n')}\n\n${message}\n`))
}

/** Points a ref to a commit. Leaves it to git where that holds the ref, because it packs refs. */
export async function writeRef(shadow: Shadow, ref: string, commit: string): Promise<void> {
  const place = join(shadow.path, ref)
  // Git locks a ref by this file as well.
  const lock = `${place}.lock`
  try {
    makeFolders(dirname(place))
    writeFileSync(lock, `${commit}\n`, { flag: 'wx' })
  } catch (error) {
    if (!isBusy.has(systemCode(error))) throw error
    await shadow.git(['update-ref', ref, commit])
    return
  }
  renameSync(lock, place)
}

/** Git has made the lock, or has just removed the empty folder. */
const isBusy: ReadonlySet<string | undefined> = new Set(['EEXIST', 'ENOENT'])

function signed({ email, at }: Signature): string {
  return `pipe <${email}> ${Math.floor(at / 1_000)} +0000`
}

function writeObject({ path }: Shadow, kind: 'blob' | 'tree' | 'commit', content: Uint8Array): string {
  const bytes = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content])
  const id = crypto().hash('sha1', bytes)
  const folder = join(path, 'objects', id.slice(0, 2))
  makeFolders(folder)
  // Git removes what a kill leaves under this name.
  const draft = join(folder, 'tmp_obj_pipe')
  writeFileSync(draft, process.getBuiltinModule('node:zlib').deflateSync(bytes))
  // Over an old one, too: git removes objects that are old when it finds no way to them.
  renameSync(draft, join(folder, id.slice(2)))
  return id
}
