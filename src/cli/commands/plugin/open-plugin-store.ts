import { join } from 'node:path'
import { findDirectories } from '../../../config/directories.ts'
import { PipeError } from '../../../error.ts'
import { fetchRepository } from '../../../git/fetch-repository.ts'
import { treeLimits } from '../../../plugins/content-tree.ts'
import { PluginStore } from '../../../plugins/plugin-store.ts'
import { createCommandRunner } from '../../../process/command-runner.ts'
import { systemPath } from '../../../process/system-path.ts'
import { nearest } from '../../../ranking/nearest.ts'
import { lockHolder } from '../../machine.ts'
import type { RunContext } from '../../run-context.ts'
import { projectFolders } from '../../wiring/project-folders.ts'

/** Variables that git gets for proxies, certificates and keys of ssh. Helpers that ask for passwords are not run. */
const passedOn = [
  ...['HOME', 'USER', 'LOGNAME', 'SSH_AUTH_SOCK', 'GIT_SSL_CAINFO', 'SSL_CERT_FILE'],
  ...['http_proxy', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY', 'no_proxy', 'NO_PROXY'],
] as const

/** Opens the plugins on disk for one command, and closes what fetches them. */
export async function withPluginStore<T>(
  { host, signal }: Pick<RunContext, 'host' | 'signal'>,
  work: (store: PluginStore) => Promise<T>,
): Promise<T> {
  const { clock, env } = host
  const commands = createCommandRunner({ clock, projectFolders: projectFolders(host) })
  const known = passedOn.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]))
  const git = {
    commands,
    searchPath: env['PATH'] ?? systemPath,
    env: Object.fromEntries(known),
    most: treeLimits,
  }
  const store = new PluginStore({
    folder: findDirectories(env, host.home).plugins,
    fetch: (source, into) => fetchRepository(source, into, { ...git, signal }),
    lock: lockHolder(host, signal),
  })
  try {
    return await work(store)
  } finally {
    await commands.close()
  }
}

/** Finds what has this name. Throws `input` with the nearest name. */
export function requireNamed<T>(
  all: ReadonlyMap<string, T>,
  name: string,
  what: 'plugin' | 'marketplace',
): T {
  const found = all.get(name)
  if (found !== undefined) return found
  const close = nearest(name, [...all.keys()])
  const list = what === 'plugin' ? 'pipe plugin list' : 'pipe plugin marketplace list'
  const hint = close === undefined ? `${list} lists them` : `did you mean ${close}?`
  throw new PipeError('input', `there is no ${what} ${JSON.stringify(name)}: ${hint}`)
}

/** The folder of a plugin in the copy of its marketplace. */
export function folderInMarketplace(marketplace: string, path: string): string {
  return join(marketplace, path)
}
