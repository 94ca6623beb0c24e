import { dirname, isAbsolute, join } from 'node:path'
import { PipeError } from '../error.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where pipe keeps things. Absolute paths; nothing is made here. */
export interface Directories {
  /** Holds `config.json` and `auth.json`. */
  readonly config: string
  readonly sessions: string
  readonly audit: string
}

/** `PIPE_HOME` holds everything where it is set; otherwise the XDG folders, with their defaults below `home`. */
export function findDirectories(env: Environment, home: string): Directories {
  const root = absolute(env, 'PIPE_HOME')
  if (root !== undefined) return { config: root, ...stateBelow(root) }
  const config = absolute(env, 'XDG_CONFIG_HOME') ?? join(home, '.config')
  const state = absolute(env, 'XDG_STATE_HOME') ?? join(home, '.local', 'state')
  return { config: join(config, 'pipe'), ...stateBelow(join(state, 'pipe')) }
}

/** The folders that hold all of them. */
export function ownFolders({ config, sessions }: Directories): readonly string[] {
  return [...new Set([config, dirname(sessions)])]
}

function stateBelow(root: string): Pick<Directories, 'sessions' | 'audit'> {
  return { sessions: join(root, 'sessions'), audit: join(root, 'audit') }
}

function absolute(env: Environment, name: string): string | undefined {
  const path = env[name]
  if (path === undefined || path === '') return undefined
  if (isAbsolute(path)) return path
  throw new PipeError('config', `${name} must be an absolute path, not ${path}`)
}
