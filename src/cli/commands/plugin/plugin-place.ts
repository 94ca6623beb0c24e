import { basename } from 'node:path'
import { PipeError } from '../../../error.ts'
import { lookThrough } from '../../../files/look.ts'
import type { JsonObject } from '../../../json-value.ts'
import { resolvePath } from '../../../machine/path.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import {
  type MarketplaceFile,
  marketplaceOfFile,
  readMarketplace,
} from '../../../plugins/marketplace-file.ts'
import { readPackage } from '../../../plugins/npm-source.ts'
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
  /** Its version if its own documents say none. */
  readonly version?: string
  /** Its name if nothing else names it. */
  readonly folderName: string
}

/** Reads where to take something from: a folder, an address, `OWNER/REPO` or `npm:NAME`. Throws `usage`. */
export function readPlace(word: string, { cwd, home }: Pick<Host, 'cwd' | 'home'>): PluginSource {
  const named = readPackage(word)
  if (named?.type === 'refused') throw usageError(named.reason, 'pipe plugin --help')
  if (named !== undefined) return named.value
  const path = resolvePath(word, { cwd, home })
  if (lookThrough(path)?.isDirectory() === true) return { type: 'folder', path }
  const top = lookThrough(path)?.isFile() === true ? marketplaceOfFile(path) : undefined
  if (top !== undefined) return { type: 'folder', path: top }
  if (/^https?:\/\/[^#]*\.json$/.test(word))
    throw usageError(
      `${JSON.stringify(word)} is a file, and its plugins are elsewhere: name the repository that contains it`,
      'pipe plugin --help',
    )
  const read = /^(\.{0,2}\/|~)/.test(word) ? undefined : readRepository(word)
  if (read?.type === 'ok') return read.value
  throw usageError(
    read?.reason ??
      `${JSON.stringify(word)} is neither a folder, the address of a git repository nor npm:NAME`,
    'pipe plugin --help',
  )
}

/** Reads what to add: a place, or `NAME@MARKETPLACE`. Throws `usage`, `input`. */
export function readWanted(word: string, store: PluginStore, host: Pick<Host, 'cwd' | 'home'>): WantedPlugin {
  const [, name, marketplace] = /^([\w.-]+)@([\w.-]+)$/.exec(word) ?? []
  if (name !== undefined && marketplace !== undefined) return wantedFrom(name, marketplace, store)
  const source = readPlace(word, host)
  return { source, folderName: basename(lastOf(source)) }
}

function lastOf(source: PluginSource): string {
  if (source.type === 'folder') return source.path
  return source.type === 'npm' ? source.package : source.url.replace(/(\.git)?\/*$/, '').replace(':', '/')
}

/** Names a plugin with where it comes from. */
export function describeWanted({ source, marketplace }: WantedPlugin, name: string): string {
  if (marketplace === undefined) return `${name} from ${describeSource(source)}`
  const elsewhere = source.type === 'folder' ? '' : `, ${describeSource(source)}`
  return `${name} from the marketplace ${marketplace}${elsewhere}`
}

/** Finds a plugin in the copy of a marketplace. Throws `input`. */
export function wantedFrom(name: string, marketplace: string, store: PluginStore): WantedPlugin {
  const known = requireNamed(store.read().marketplaces, marketplace, 'marketplace')
  const folder = store.marketplaceFolder(known)
  const { entries } = requireMarketplace(folder, marketplace)
  const entry = requireNamed(new Map(entries.map((one) => [one.name, one])), name, 'plugin')
  const { source, components, version } = entry
  return {
    source:
      source.type === 'inside' ? { type: 'folder', path: folderInMarketplace(folder, source.path) } : source,
    name,
    marketplace,
    ...omitUndefined({ components, version }),
    folderName: name,
  }
}

/** Reads the list of a marketplace. Throws `invalid` if it has none that can be read. */
export function requireMarketplace(folder: string, name: string): MarketplaceFile {
  const read = readMarketplace(folder)
  if (read.type === 'ok') return read.value
  throw new PipeError('invalid', `${name} is not a marketplace: ${read.reason}`)
}
