import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PageFiles } from '../../../hono/routes/page-routes.ts'

/** Reads the files of the page that the build made into the package. Returns `undefined` if it made none. */
export async function readPageFiles(packageFolder: string): Promise<PageFiles | undefined> {
  const folder = join(packageFolder, 'dist', 'page')
  try {
    const names = await readdir(folder)
    return new Map(
      await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
    )
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
