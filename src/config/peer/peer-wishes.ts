import { join } from 'node:path'
import { lookThrough } from '../../files/look.ts'
import type { JsonValue } from '../../json-value.ts'
import { isWithin, resolvePath } from '../../machine/path.ts'
import type { PermissionMode } from '../../permission.ts'
import { isLooser } from '../permission-mode.ts'
import { realPathOf } from '../trust/project-root.ts'
import { type ContentKind, contentHash } from '../trust/trust.ts'

/** A folder or mode that a project's settings ask for. It counts once the user approves it. */
export interface PeerWish {
  readonly kind: Extract<ContentKind, 'permissions.mode' | 'folders'>
  readonly hash: string
  /** The mode, or the real path of a folder. */
  readonly text: string
}

export interface WishSources {
  readonly root: string
  /** The folder of the run. */
  readonly cwd: string
  readonly home: string
  /** The mode of the user's own settings. */
  readonly mode: PermissionMode
  /** Says why no project gets this folder, a real path; `undefined` if the user may approve it. */
  readonly folderFault: (path: string) => string | undefined
}

/**
 * The wish for a mode that is looser than the user's. It is bound to both, so that an approval ends when the user chooses another mode.
 * `undefined` for a mode that is no looser, and for `bypass`, which no project gets.
 */
export function modeWish(
  mode: PermissionMode | undefined,
  { mode: own }: Pick<WishSources, 'mode'>,
): PeerWish | undefined {
  if (mode === undefined || mode === 'bypass' || !isLooser(mode, own)) return undefined
  return { kind: 'permissions.mode', hash: contentHash({ mode, instead: own }), text: mode }
}

/** Folders that a list names. */
export interface FolderWishes {
  readonly wishes: readonly PeerWish[]
  /** Say which are left out. */
  readonly faults: readonly string[]
}

/** Most folders of a list. */
const most = 20

/** Reads a list of folders besides the project. Each is bound to its real path, so a link that leads elsewhere later is another wish. */
export function folderWishes(list: JsonValue | undefined, sources: WishSources): FolderWishes {
  const entries = list === undefined ? [] : Array.isArray(list) ? list : [list]
  const wishes = new Map<string, PeerWish>()
  const faults: string[] = []
  for (const entry of entries.slice(0, most)) {
    const path = typeof entry === 'string' && entry !== '' ? realFolderOf(entry, sources) : undefined
    const fault = path === undefined ? 'there is no such folder' : sources.folderFault(path)
    if (path === undefined || fault !== undefined)
      faults.push(`${JSON.stringify(entry).slice(0, 120)}: ${fault}`)
    else if (!isWithin(path, sources.cwd))
      wishes.set(path, { kind: 'folders', hash: contentHash(path), text: path })
  }
  if (entries.length > most) faults.push(`only the first ${most} are read`)
  return { wishes: [...wishes.values()], faults }
}

function realFolderOf(text: string, { root, home }: WishSources): string | undefined {
  const real = realPathOf(resolvePath(text, { cwd: root, home }))
  return real !== undefined && lookThrough(join(real, '.'))?.isDirectory() === true ? real : undefined
}
