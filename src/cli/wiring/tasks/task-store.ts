import { join } from 'node:path'
import { findDirectories } from '../../../config/directories.ts'
import { readEnvironment } from '../../../config/environment.ts'
import { readSettings } from '../../../config/settings.ts'
import type { Machine } from '../../machine.ts'

/**
 * Finds the URL of the database that keeps tasks: that of `PIPE_DATABASE_URL`, else of the user's own settings; `undefined` if files keep
 * them. No project has a say. Throws `config`.
 */
export async function findTaskStore({
  env,
  home,
}: Pick<Machine, 'env' | 'home'>): Promise<string | undefined> {
  const { config } = findDirectories(env, home)
  const own = await readSettings(join(config, 'config.json'))
  const layers = [{ settings: own }, ...readEnvironment(env)]
  return layers.findLast(({ settings }) => settings.tasks?.store !== undefined)?.settings.tasks?.store
}

/** Returns the path of the user's file of passwords for databases, as PostgreSQL's own programs look for it. */
export function passwordFile({ env, home }: Pick<Machine, 'env' | 'home'>): string {
  return env['PGPASSFILE'] ?? join(home, '.pgpass')
}
