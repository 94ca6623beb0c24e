import { basename } from 'node:path'
import { statsOf } from '../../../config/trust/project-root.ts'
import { PipeError } from '../../../error.ts'
import type { JsonObject } from '../../../json-value.ts'
import { resolvePath } from '../../../machine/path.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { type MarketplaceFile, readMarketplace } from '../../../plugins/marketplace-file.ts'
import { describeSource, type PluginSource, readRepository } from '../../../plugins/plugin-source.ts'
import type { PluginStore } from '../../../plugins/plugin-store.ts'
import { usageError } from '../../flags.ts'
import type { Host } from '../../host.ts'
import { folderInMarketplace, requireNamed } from './open-plugin-store.ts'

/** A plugin to take, and what is known of it beforehand. */
export interface WantedPlugin {
  readonly source: PluginSource
  /** Its name, whatever its files say. */
  readonly name?: string
  /** The marketplace that lists it. */
  readonly marketplace?: string
  /** The marketplace's own words about it. */
  readonly components?: JsonObject
  /** Its name if nothing else names it. */
  readonly folderName: string
}

/** Reads where to take something from: a folder, an address, or `OWNER/REPO`. Throws `usage`. */
export function readPlace(word: string, { cwd, home }: Pick<Host, 'cwd' | 'home'>): PluginSource {
  const path = resolvePath(word, { cwd, home })
  if (statsOf(path)?.isDirectory() === true) return { type: 'folder', path }
  const read = /^(\.{0,2}\/|~)/.test(word) ? undefined : readRepository(word)
  if (read?.type === 'ok') return read.value
  throw usageError(
    read?.reason ?? `${JSON.stringify(word)} is neither a folder nor the address of a git repository`,
    'pipe plugin --help',
  )
}

/** Reads what to add: a place, or `NAME@MARKETPLACE`. Throws `usage`, `input`. */
export function readWanted(word: string, store: PluginStore, host: Pick<Host, 'cwd' | 'home'>): WantedPlugin {
  const [, name, marketplace] = /^([\w.-]+)@([\w.-]+)$/.exec(word) ?? []
  if (name !== undefined && marketplace !== undefined) return wantedFrom(name, marketplace, store)
  const source = readPlace(word, host)
  const last = source.type === 'folder' ? source.path : source.url.replace(/(\.git)?\/*$/, '')
  return { source, folderName: basename(last.replace(':', '/')) }
}

/** Names a plugin with where it comes from. */
export function describeWanted({ source, marketplace }: WantedPlugin, name: string): string {
  if (marketplace === undefined) return `${name} from ${describeSource(source)}`
  const elsewhere = source.type === 'git' ? `, ${describeSource(source)}` : ''
  return `${name} from the marketplace ${marketplace}${elsewhere}`
}

/** Finds a plugin in the copy of a marketplace. Throws `input`. */
export function wantedFrom(name: string, marketplace: string, store: PluginStore): WantedPlugin {
  const known = requireNamed(store.read().marketplaces, marketplace, 'marketplace')
  const folder = store.marketplaceFolder(known)
  const { entries } = requireMarketplace(folder, marketplace)
  const entry = requireNamed(new Map(entries.map((one) => [one.name, one])), name, 'plugin')
  const { source, components } = entry
  return {
    source:
      source.type === 'git' ? source : { type: 'folder', path: folderInMarketplace(folder, source.path) },
    name,
    marketplace,
    ...omitUndefined({ components }),
    folderName: name,
  }
}

/** Reads the list of a marketplace. Throws `invalid` if it has none that can be read. */
export function requireMarketplace(folder: string, name: string): MarketplaceFile {
  const read = readMarketplace(folder)
  if (read.type === 'ok') return read.value
  throw new PipeError('invalid', `${name} is no marketplace: ${read.reason}`)
}
