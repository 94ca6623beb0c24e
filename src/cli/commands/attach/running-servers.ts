import { join } from 'node:path'
import { readAddress, type ServerAddress } from '../../../attach/address.ts'
import { findDirectories } from '../../../config/directories.ts'
import { readSettingsText } from '../../../config/settings-document.ts'
import { isRunning } from '../../../files/lock/process-start.ts'
import { entryNames } from '../../../files/look.ts'
import { isJsonObject, parseJson } from '../../../json-value.ts'
import type { Machine } from '../../machine.ts'

/** A server of this user on this machine. */
export interface FoundServer {
  readonly address: ServerAddress
  /** The folders that it works in. */
  readonly projects: readonly string[]
}

/** Finds the servers of this user on this machine by the records that they leave. Ignores those of processes that are gone. */
export function runningServers({ env, home }: Pick<Machine, 'env' | 'home'>): readonly FoundServer[] {
  const folder = findDirectories(env, home).servers
  const records = entryNames(folder).filter((name) => /^\d+\.json$/.test(name))
  return records.flatMap((name) => readRecord(readSettingsText(join(folder, name)) ?? ''))
}

function readRecord(text: string): readonly FoundServer[] {
  const record = parseJson(text)
  if (!isJsonObject(record)) return []
  const { version, url, pid, projects } = record
  if (version !== 1 || typeof url !== 'string' || typeof pid !== 'number' || !isRunning(pid, undefined))
    return []
  const address = readAddress(url)
  const folders = Array.isArray(projects) ? projects.filter((one) => typeof one === 'string') : []
  return address === undefined ? [] : [{ address, projects: folders }]
}
