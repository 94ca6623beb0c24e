import { dirname, isAbsolute, join } from 'node:path'
import { PipeError } from '../error.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Folders of pipe's own data, as absolute paths. They may not exist yet. */
export interface Directories {
  /** Holds `config.json` and `auth.json`. */
  readonly config: string
  readonly sessions: string
  readonly audit: string
  /** Holds the index of `pipe recall`. */
  readonly recall: string
  /** Holds vectors, a folder for each kind. */
  readonly vectors: string
  /** Holds the events of tasks. */
  readonly tasks: string
  /** Holds the memories of projects, each in a folder of its own. */
  readonly memories: string
  /** Holds the messages that the user wrote, a file for each folder. */
  readonly history: string
  /** Holds the plugins that the user added. */
  readonly plugins: string
  /** Holds the records of running servers. */
  readonly servers: string
}

/**
 * Finds the data folders: all in `PIPE_HOME` if set, else the XDG folders with defaults below `home`. Ignores a relative XDG folder, as
 * XDG requires. Throws `config` for a relative `PIPE_HOME`.
 */
export function findDirectories(env: Environment, home: string): Directories {
  const { PIPE_HOME: root = '' } = env
  if (root !== '' && !isAbsolute(root))
    throw new PipeError('config', `PIPE_HOME must be an absolute path, not ${root}`)
  if (root !== '') return { config: root, ...stateBelow(root) }
  const config = absolute(env, 'XDG_CONFIG_HOME') ?? join(home, '.config')
  const state = absolute(env, 'XDG_STATE_HOME') ?? join(home, '.local', 'state')
  return { config: join(config, 'pipe'), ...stateBelow(join(state, 'pipe')) }
}

/** Returns the folder of data that may be deleted at any time: in `XDG_CACHE_HOME`, else below `home`. Never in `PIPE_HOME`. */
export function cacheFolder(env: Environment, home: string): string {
  return join(absolute(env, 'XDG_CACHE_HOME') ?? join(home, '.cache'), 'pipe')
}

/** Returns the folders that contain all of pipe's data. */
export function ownFolders({ config, sessions }: Directories): readonly string[] {
  return [...new Set([config, dirname(sessions)])]
}

function stateBelow(root: string): Omit<Directories, 'config'> {
  return {
    sessions: join(root, 'sessions'),
    audit: join(root, 'audit'),
    recall: join(root, 'recall'),
    vectors: join(root, 'vectors'),
    tasks: join(root, 'tasks'),
    memories: join(root, 'memories'),
    history: join(root, 'history'),
    plugins: join(root, 'plugins'),
    servers: join(root, 'servers'),
  }
}

function absolute(env: Environment, name: string): string | undefined {
  const path = env[name]
  return path !== undefined && isAbsolute(path) ? path : undefined
}
