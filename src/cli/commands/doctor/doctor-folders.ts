import { tmpdir } from 'node:os'
import type { Directories } from '../../../config/directories.ts'
import { lookThrough } from '../../../files/look.ts'
import { checkpointFolder } from '../../wiring/session/open-checkpoints.ts'
import { tryToWrite } from '../../wiring/try-to-write.ts'
import type { CheckContext, Checkup } from './checkup.ts'

/** Checks the data folders: whether pipe can write there, and whether only the user can read them. */
export function checkFolders({
  machine,
  directories,
}: Pick<CheckContext, 'machine' | 'directories'>): readonly Checkup[] {
  const { config, sessions, audit }: Directories = directories
  const kept = { config, sessions, audit, undo: checkpointFolder(machine) }
  return [
    ...Object.entries(kept).map(([name, path]) => checkFolder({ name, path, isPrivate: true })),
    checkFolder({ name: 'temp', path: tmpdir(), isPrivate: false }),
  ]
}

interface StateFolder {
  readonly name: string
  readonly path: string
  readonly isPrivate: boolean
}

/** Helps where a file system gives every file the same permissions. */
const elsewhere = 'the file system there cannot restrict permissions: set PIPE_HOME to a folder elsewhere'

function checkFolder({ name, path, isPrivate }: StateFolder): Checkup {
  const found = lookThrough(path)
  const { refusal, keepsModes } = tryToWrite(path)
  if (refusal !== undefined) {
    const { code, message } = refusal
    const other = `set another one with ${isPrivate ? 'PIPE_HOME' : 'TMPDIR'}`
    const remedy =
      code === 'permission' ? `make the folder yours (chown -R $USER, chmod 700), or ${other}` : other
    return { name, state: 'broken', text: message, remedy }
  }
  if (found === undefined) return { name, state: 'ok', text: `${path} (created when needed)` }
  const mode = (found.mode & 0o777).toString(8)
  if (!isPrivate || (found.mode & 0o077) === 0) return { name, state: 'ok', text: `${path} (${mode})` }
  return {
    name,
    state: 'missing',
    text: `${path} is open to others (${mode})`,
    remedy: keepsModes ? `chmod 700 ${path}` : elsewhere,
  }
}
