import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A temporary folder: `at` returns a path in it, `put` writes a file and its folders. */
export async function temporaryFolder() {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pipe-files-')))
  const at = (path: string) => join(root, path)
  return {
    root,
    at,
    async put(path: string, content: string | Uint8Array = '') {
      await mkdir(dirname(at(path)), { recursive: true })
      await writeFile(at(path), content)
      return at(path)
    },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

export type Folder = Awaited<ReturnType<typeof temporaryFolder>>
