import { basename, dirname, isAbsolute, join } from 'node:path'
import { promises } from './lazy-fs.ts'
import { systemCode } from './system-error.ts'

/**
 * Resolves every symlink in a path, even if its end does not exist yet or a link dangles. Throws the system's error for a loop of
 * links, or if a part of the path is a file or not searchable.
 */
export async function realPath(path: string): Promise<string> {
  const { readlink, realpath } = promises()
  const found = await unlessMissing(realpath(path))
  if (found !== undefined) return found
  const folder = dirname(path)
  if (folder === path) return path
  const real = await realPath(folder)
  const target = await unlessMissing(readlink(path))
  if (target === undefined) return join(real, basename(path))
  // Not joined: `..` must go up from where the path before it leads.
  return realPath(isAbsolute(target) ? target : `${real}/${target}`)
}

async function unlessMissing(answer: Promise<string>): Promise<string | undefined> {
  try {
    return await answer
  } catch (error) {
    // EINVAL: not a link.
    if (['ENOENT', 'EINVAL'].includes(systemCode(error) ?? '')) return undefined
    throw error
  }
}
