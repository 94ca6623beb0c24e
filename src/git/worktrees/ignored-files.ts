import { constants } from 'node:fs'
import { dirname, join } from 'node:path'
import { PipeError } from '../../error.ts'
import { promises } from '../../files/lazy-fs.ts'
import { look } from '../../files/look.ts'
import { isWithin } from '../../machine/path.ts'

interface CopiedFiles {
  readonly from: string
  readonly to: string
  /** Relative paths. Folders are copied with all that is in them. */
  readonly paths: readonly string[]
  /** Whether a file may be in the copy. */
  readonly mayCopy: (path: string) => boolean
  readonly signal: AbortSignal
}

/** The most that is copied. Installed packages of a large project are half of it. */
const most = { bytes: 2 * 1024 ** 3, files: 300_000 }

/** Copies ignored files of a project into its worktree. Returns false if some were left out for want of room. Throws `aborted`. */
export async function copyIgnored({ from, to, paths, mayCopy, signal }: CopiedFiles): Promise<boolean> {
  let bytes = 0
  let files = 0
  const isCopied = (path: string): boolean => {
    if (signal.aborted) throw new PipeError('aborted', 'interrupted')
    const stat = look(path)
    if (stat === undefined || !mayCopy(path)) return false
    if (stat.isDirectory()) return !isWithin(to, path)
    if (stat.isSymbolicLink()) return true
    if (!stat.isFile() || bytes > most.bytes || files > most.files) return false
    bytes += stat.size
    files += 1
    return true
  }
  for (const path of paths) {
    const source = join(from, path)
    const target = join(to, path)
    if (!isCopied(source)) continue
    await promises().mkdir(dirname(target), { recursive: true })
    await promises().cp(source, target, {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      // Where the file system can, the copy shares its blocks until one of them changes.
      mode: constants.COPYFILE_FICLONE,
      filter: (inside) => inside === source || isCopied(inside),
    })
  }
  return bytes <= most.bytes && files <= most.files
}
