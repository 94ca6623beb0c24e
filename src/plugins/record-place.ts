import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The file of the record in the folder of plugins. */
export function pluginRecordPath(folder: string): string {
  return join(folder, 'plugins.json')
}

/** Whether any plugin or marketplace was ever added. */
export function hasPluginRecord(folder: string): boolean {
  return existsSync(pluginRecordPath(folder))
}
