import { basename, dirname, isAbsolute, join } from 'node:path'
import { promises } from './lazy-fs.ts'
import { systemCode } from './system-error.ts'

/**
 * Where a path leads once every symlink in it is followed: also one of which the end does not exist yet, and a link that points
 * to nothing. Throws the system's error where links go round in a circle, or a part of the path is a file or may not be searched.
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
  // Not joined: `..` means the folder above where the path before it leads.
  return realPath(isAbsolute(target) ? target : `${real}/${target}`)
}

async function unlessMissing(answer: Promise<string>): Promise<string | undefined> {
  try {
    return await answer
  } catch (error) {
    // EINVAL: it is no link.
    if (['ENOENT', 'EINVAL'].includes(systemCode(error) ?? '')) return undefined
    throw error
  }
}
