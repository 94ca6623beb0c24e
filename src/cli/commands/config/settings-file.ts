import { join } from 'node:path'
import { findDirectories } from '../../../config/directories.ts'
import { findRoot } from '../../../config/trust/project-root.ts'
import type { RunContext } from '../../run-context.ts'

const files = { project: 'config.json', local: 'config.local.json' } as const

/** A settings file. */
export interface SettingsFile {
  readonly scope: 'user' | 'project' | 'local'
  readonly path: string
}

/** Finds the file that `--scope` names. Default: the user's. */
export function settingsFile({ host, flags }: Pick<RunContext, 'host' | 'flags'>): SettingsFile {
  const scope = flags.text('scope')
  if (scope !== 'project' && scope !== 'local')
    return { scope: 'user', path: join(findDirectories(host.env, host.home).config, 'config.json') }
  return { scope, path: join(findRoot(host.cwd, ['.git', '.pipe']), '.pipe', files[scope]) }
}
