import { join } from 'node:path'
import { findDirectories, ownFolders } from '../../config/directories.ts'
import { followed } from '../../files/real-path.ts'
import { isWithin } from '../../machine/path.ts'
import type { Machine } from '../machine.ts'

/** Folders of the system, on Linux and macOS. */
const ofSystem = [
  ...[
    '/etc',
    '/usr',
    '/bin',
    '/sbin',
    '/lib',
    '/boot',
    '/dev',
    '/proc',
    '/sys',
    '/run',
    '/var/lib',
    '/var/log',
  ],
  ...['/System', '/Library', '/private/etc'],
]

/** Says why no project gets a folder to work in, a real path; `undefined` if the user may approve it. */
export function folderFault(path: string, { env, home }: Pick<Machine, 'env' | 'home'>): string | undefined {
  const own = ownFolders(findDirectories(env, home)).map(followed)
  const isIn = (folders: readonly string[]) => folders.some((one) => isWithin(path, one))
  const holds = (folders: readonly string[]) => folders.some((one) => isWithin(one, path))
  if (/\p{C}/u.test(path)) return 'its name contains hidden characters'
  if (holds([followed(home)])) return 'it contains your home folder'
  if (isIn(own) || holds(own)) return "it contains pipe's own files"
  if (isIn(ofSystem) || holds(ofSystem)) return 'it belongs to the system'
  // Logins and what runs later lie in such folders, most of them of the home.
  if (path.split('/').some((name) => name.startsWith('.')) || isIn([join(followed(home), 'Library')]))
    return 'hidden folders contain keys and programs that run later'
  return undefined
}
