import { join } from 'node:path'
import { findDirectories } from '../../../config/directories.ts'
import { PipeError } from '../../../error.ts'
import { fetchRepository } from '../../../git/fetch-repository.ts'
import { fetchPackage } from '../../../npm/fetch-package.ts'
import { treeLimits } from '../../../plugins/content-tree.ts'
import { type FetchContent, PluginStore } from '../../../plugins/plugin-store.ts'
import { createCommandRunner } from '../../../process/command-runner.ts'
import { pathOutside } from '../../../process/search-path.ts'
import { systemPath } from '../../../process/system-path.ts'
import { nearest } from '../../../ranking/nearest.ts'
import type { Host } from '../../host.ts'
import { lockHolder } from '../../machine.ts'
import type { RunContext } from '../../run-context.ts'
import { projectFolders } from '../../wiring/project-folders.ts'

/** Variables for proxies, certificates and the user's own files. */
const forBoth = [
  ...['HOME', 'USER', 'LOGNAME', 'SSL_CERT_FILE', 'http_proxy', 'https_proxy', 'HTTPS_PROXY'],
  ...['all_proxy', 'ALL_PROXY', 'no_proxy', 'NO_PROXY'],
]
/** Adds the keys of ssh. Helpers that ask for passwords are not run. */
const forGit = [...forBoth, 'SSH_AUTH_SOCK', 'GIT_SSL_CAINFO']
/** Adds the user's settings of npm. */
const forNpm = [
  ...[...forBoth, 'NODE_EXTRA_CA_CERTS'],
  ...['npm_config_registry', 'NPM_CONFIG_REGISTRY', 'npm_config_userconfig', 'NPM_CONFIG_USERCONFIG'],
  ...['npm_config_cafile', 'NPM_CONFIG_CAFILE'],
]

/** Opens the plugins on disk for one command, and closes what fetches them. */
export async function withPluginStore<T>(
  { host, signal }: Pick<RunContext, 'host' | 'signal'>,
  work: (store: PluginStore) => Promise<T>,
): Promise<T> {
  const { clock, env } = host
  const folders = projectFolders(host)
  const commands = createCommandRunner({ clock, projectFolders: folders })
  // A shell that sets a limit, and npm, look up programs themselves.
  const searchPath = pathOutside(env['PATH'] ?? systemPath, folders)
  const options = { commands, searchPath, most: treeLimits, signal }
  const fetch: FetchContent = async (source, into) =>
    source.type === 'git'
      ? { commit: await fetchRepository(source, into, { ...options, env: pick(env, forGit) }) }
      : { release: await fetchPackage(source, into, { ...options, env: pick(env, forNpm) }) }
  const store = new PluginStore({
    folder: findDirectories(env, host.home).plugins,
    fetch,
    lock: lockHolder(host, signal),
  })
  try {
    return await work(store)
  } finally {
    await commands.close()
  }
}

function pick(env: Host['env'], names: readonly string[]): Readonly<Record<string, string>> {
  const known = names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]))
  return Object.fromEntries(known)
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
