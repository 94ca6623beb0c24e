import { renameSync, rmSync, writeFileSync } from 'node:fs'
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

// Starting git for each of these costs a turn that writes one file nine processes. Call them only in `exclusively`.

/** Writes a text as a blob. Returns its id. */
export function writeTextBlob(shadow: Shadow, content: string): string {
  return writeObject(shadow, 'blob', Buffer.from(content))
}

/** Writes a tree without folders. Returns its id. */
export function writeFlatTree(shadow: Shadow, files: readonly TreeFile[]): string {
  const sorted = files.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
  const entries = sorted.flatMap(({ name, id }) => [Buffer.from(`100644 ${name}\0`), Buffer.from(id, 'hex')])
  return writeObject(shadow, 'tree', Buffer.concat(entries))
}

/** Writes a commit. Returns its id. */
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

/** Points a ref to a commit. Falls back to `git update-ref` while git holds the lock, as when it packs refs. */
export async function writeRef(shadow: Shadow, ref: string, commit: string): Promise<void> {
  const place = join(shadow.path, ref)
  // Git locks a ref by this file as well.
  const lock = `${place}.lock`
  try {
    writeIn(lock, `${commit}\n`, 'wx')
  } catch (error) {
    if (systemCode(error) === 'EEXIST') {
      await shadow.git(['update-ref', ref, commit])
      return
    }
    // A full disk leaves an empty one, which would stand in the way from then on.
    rmSync(lock, { force: true })
    throw error
  }
  renameSync(lock, place)
}

/** Writes a file, and its folder, once more if git has just removed that because it was empty. */
function writeIn(path: string, content: string | Uint8Array, flag: 'w' | 'wx'): void {
  const write = () => {
    makeFolders(dirname(path))
    writeFileSync(path, content, { flag })
  }
  try {
    write()
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    write()
  }
}

function signed({ email, at }: Signature): string {
  return `pipe <${email}> ${Math.floor(at / 1_000)} +0000`
}

function writeObject({ path }: Shadow, kind: 'blob' | 'tree' | 'commit', content: Uint8Array): string {
  const bytes = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content])
  const id = crypto().hash('sha1', bytes)
  const folder = join(path, 'objects', id.slice(0, 2))
  // If pipe is killed here, git prunes a file of this name.
  const draft = join(folder, 'tmp_obj_pipe')
  writeIn(draft, process.getBuiltinModule('node:zlib').deflateSync(bytes), 'w')
  // Replaces an old object to renew its date: git prunes old ones that nothing refers to.
  renameSync(draft, join(folder, id.slice(2)))
  return id
}
