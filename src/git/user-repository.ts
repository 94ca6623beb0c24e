import { isPipeError, PipeError } from '../error.ts'
import { isWithin } from '../machine/path.ts'
import type { CommandRunner } from '../machine/running-command.ts'
import { runGit } from './hardened.ts'
import type { TreeChange } from './tree/tree-diff.ts'

/** The user's repository around a folder. All paths are absolute. */
export interface UserRepository {
  /** The top of its work tree. */
  readonly root: string
  /** The git folder that all its work trees share. */
  readonly common: string
  readonly objects: string
  /** `sha1` or `sha256`. */
  readonly format: string
  /** `core.sharedRepository`, if it is set. */
  readonly sharing: string | undefined
  /** The commit that HEAD names; absent before the first one. */
  readonly head: string | undefined
}

export interface GitPlace {
  readonly commands: CommandRunner
  /** The `PATH` on which to find git. */
  readonly searchPath: string
}

const timeoutMs = 20_000

/** Finds the repository around a folder. Returns `undefined` if there is none. Throws `input` inside a git folder, and `tool`. */
export async function findRepository(
  cwd: string,
  place: GitPlace,
  signal: AbortSignal,
): Promise<UserRepository | undefined> {
  const ask = askAt(cwd, place, signal)
  const wanted = ['--show-toplevel', '--git-common-dir', '--git-path', 'objects', '--show-object-format']
  let said: string
  try {
    said = await ask(['rev-parse', '--path-format=absolute', ...wanted])
  } catch (error) {
    if (!isPipeError(error)) throw error
    if (/not a git repository/.test(error.message)) return undefined
    if (!/must be run in a work tree/.test(error.message)) throw error
    throw new PipeError('input', `${cwd} is inside a .git folder, not in a project`)
  }
  const [root = '', common = '', objects = '', format = ''] = said.split('\n')
  if (!isWithin(cwd, root))
    throw new PipeError('input', `the repository around ${cwd} says that its files are in ${root}`)
  const head = (await ask(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], [0, 1])).trim()
  const sharing = (await ask(['config', '--get', 'core.sharedRepository'], [0, 1])).trim()
  return { root, common, objects, format, sharing: sharing || undefined, head: head || undefined }
}

/** The submodules in the index of a work tree, each with its commit. */
export async function submodulesOf(
  root: string,
  place: GitPlace,
  signal: AbortSignal,
): Promise<readonly Pick<TreeChange, 'path' | 'new'>[]> {
  const listed = await askAt(root, place, signal)(['ls-files', '--stage', '-z'])
  return listed.split('\0').flatMap((line) => {
    const [, mode = '', id = '', path = ''] = /^(160000) ([0-9a-f]+) 0\t(.*)$/s.exec(line) ?? []
    return path === '' ? [] : [{ path, new: { mode, id } }]
  })
}

function askAt(folder: string, { commands, searchPath }: GitPlace, signal: AbortSignal) {
  // Nothing that a repository configures runs, so its owner does not matter.
  const call = {
    env: { PATH: searchPath },
    settings: ['safe.directory=*', 'safe.bareRepository=all'],
    timeoutMs,
  }
  return (args: readonly string[], goodExits: readonly number[] = [0]) =>
    runGit(commands, { ...call, folder, args, goodExits }, { signal })
}
