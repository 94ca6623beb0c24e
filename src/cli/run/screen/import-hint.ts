import { existsSync } from 'node:fs'
import { findDirectories } from '../../../config/directories.ts'
import type { Machine } from '../../machine.ts'

/** Says, before the first prompt that a user ever types here, that settings of other agents can be taken over. Most runs look at one folder. */
export async function importHint(machine: Pick<Machine, 'cwd' | 'home' | 'env'>): Promise<readonly string[]> {
  if (existsSync(findDirectories(machine.env, machine.home).history)) return []
  const { countImports } = await import('../../commands/import/import-config.ts')
  if ((await countImports(machine)) === 0) return []
  return ['other agents have settings here: pipe import-config shows what can be copied']
}
