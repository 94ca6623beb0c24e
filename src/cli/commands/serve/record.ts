import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findDirectories } from '../../../config/directories.ts'
import { isRunning } from '../../../files/lock/process-start.ts'
import { makePrivateFolder } from '../../../files/private-folder.ts'
import { writeAtomically } from '../../../files/writing/atomic.ts'
import type { ServedProject } from '../../../hono/backend.ts'
import type { Machine } from '../../machine.ts'

/** The record of a running server, by which `pipe attach` finds it. Its owner removes it. */
export interface ServerRecord {
  remove(): void
}

/** Leaves the record of this server, for this user alone, and removes those of servers that are gone. Throws `permission`, `internal`. */
export async function leaveRecord(
  { env, home, pid, clock }: Pick<Machine, 'env' | 'home' | 'pid' | 'clock'>,
  { url, projects }: { readonly url: string; readonly projects: readonly ServedProject[] },
): Promise<ServerRecord> {
  const { servers } = findDirectories(env, home)
  const path = join(servers, `${pid}.json`)
  const record = {
    version: 1,
    url,
    pid,
    started_at: new Date(clock.now()).toISOString(),
    projects: projects.map(({ cwd }) => cwd),
  }
  makePrivateFolder(servers)
  sweep(servers)
  await writeAtomically(path, Buffer.from(`${JSON.stringify(record)}\n`), { mode: 0o600 })
  return { remove: () => rmSync(path, { force: true }) }
}

function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, pid] = /^(\d+)\.json$/.exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid), undefined)) rmSync(join(folder, name), { force: true })
  }
}
