import { mkdtempSync, readdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PipeError } from '../error.ts'
import { type PatientLockOptions, waitForLock } from '../files/lock/lock.ts'
import { look, lookThrough } from '../files/look.ts'
import { makePrivateFolder } from '../files/private-folder.ts'
import { followed } from '../files/real-path.ts'
import { fileError } from '../files/system-error.ts'
import { writeAtomically } from '../files/writing/atomic.ts'
import { removeTree } from '../files/writing/remove-tree.ts'
import { isWithin } from '../machine/path.ts'
import { copyTree, entryHash, readTree, type TreeEntry, treeHash } from './content-tree.ts'
import { moreOf, placesOf } from './enabled-plugins.ts'
import { optionPath } from './option-file.ts'
import { encodeStamps } from './pinned-content.ts'
import type { InstalledPlugin, KnownMarketplace, PluginRecord } from './plugin-record.ts'
import { pluginRecordText, readPluginRecord } from './plugin-record.ts'
import type { FetchedSource, PluginSource } from './plugin-source.ts'
import { pluginRecordPath } from './record-place.ts'

/** The commit or version that was fetched. */
export interface FetchedContent {
  /** The commit of a repository. */
  readonly commit?: string
  /** The version of a package. */
  readonly release?: string
}

/** Fetches the files of a repository or package into a new folder. Runs nothing of them. Throws `tool`, `invalid`, `aborted`. */
export type FetchContent = (source: FetchedSource, into: string) => Promise<FetchedContent>

export interface PluginStoreOptions {
  /** The folder of plugins. */
  readonly folder: string
  readonly fetch: FetchContent
  readonly lock: PatientLockOptions
}

/** A copy of a source, which counts for nothing yet. Keep it or discard it. */
export interface StagedContent extends FetchedContent {
  readonly root: string
  readonly source: PluginSource
  readonly entries: readonly TreeEntry[]
  /** SHA-256 of each entry. */
  readonly hashes: readonly string[]
  /** Name what was left out. */
  readonly notes: readonly string[]
  discard(): Promise<void>
}

/** Age in ms of a copy that nobody will keep any more. */
const staleMs = 24 * 60 * 60 * 1_000

/** The plugins and marketplaces on disk. A failure at any moment leaves the old ones as they were. */
export class PluginStore {
  readonly folder: string
  readonly #options: PluginStoreOptions

  constructor(options: PluginStoreOptions) {
    this.folder = options.folder
    this.#options = options
  }

  /** Throws `config` if the record is broken. */
  read(): PluginRecord {
    return readPluginRecord(this.folder)
  }

  /** Copies a source with bounds. Throws `not_found`, `invalid`, `tool`, `aborted`. */
  async stage(source: PluginSource): Promise<StagedContent> {
    makePrivateFolder(this.folder)
    await this.#sweep()
    const staging = mkdtempSync(join(this.folder, 'staging-'))
    const discard = () => removeTree(staging)
    try {
      const fetched = join(staging, 'fetched')
      const origin = source.type === 'folder' ? {} : await this.#options.fetch(source, fetched)
      const inside = source.type === 'git' ? (source.path ?? '') : ''
      const from = source.type === 'folder' ? source.path : join(fetched, inside)
      requireFolder(from, source.type === 'folder' ? from : fetched, inside || from)
      const { entries, notes } = readTree(from)
      const root = join(staging, 'content')
      makePrivateFolder(root)
      const hashes = copyTree(from, root, entries)
      await removeTree(fetched)
      return { root, source, entries, hashes, notes, discard, ...origin }
    } catch (error) {
      await discard()
      throw error
    }
  }

  /** Puts a copy in the place of a plugin's files, as the user approved it. Throws `conflict` if the lock is held for 3 s. */
  async keep(staged: StagedContent, plugin: Omit<InstalledPlugin, 'hash'>): Promise<InstalledPlugin> {
    const { entries, hashes } = staged
    const kept = { ...plugin, hash: treeHash(entries, hashes, moreOf(plugin)) }
    const { root, stamps, data } = placesOf(this.folder, kept)
    await this.#change(async (record) => {
      const old = record.plugins.get(plugin.name)
      await this.#moveIn(staged.root, root)
      // Hashed anew: what was exchanged since it was shown must not pass as approved.
      const moved = readTree(root).entries
      const stamped = encodeStamps(
        moved,
        moved.map((entry) => entryHash(root, entry)),
      )
      await writeAtomically(stamps, Buffer.from(JSON.stringify(stamped)), { mode: 0o600 })
      makePrivateFolder(data)
      record.plugins.set(plugin.name, kept)
      return old === undefined || old.hash === kept.hash ? [] : this.#filesOf(old)
    })
    return kept
  }

  /** Keeps the copy of a marketplace in the place of an older one. */
  async keepMarketplace(staged: StagedContent, name: string): Promise<void> {
    const folder = `${name}-${treeHash(staged.entries, staged.hashes, '').slice(0, 16)}`
    await this.#change(async (record) => {
      const old = record.marketplaces.get(name)
      await this.#moveIn(staged.root, this.marketplaceFolder({ folder }))
      const { source, commit } = staged
      record.marketplaces.set(name, { name, source, folder, ...(commit !== undefined && { commit }) })
      return old === undefined || old.folder === folder ? [] : [this.marketplaceFolder(old)]
    })
  }

  /** Where the copy of a marketplace is. */
  marketplaceFolder({ folder }: Pick<KnownMarketplace, 'folder'>): string {
    return join(this.folder, 'marketplaces', folder)
  }

  /** Turns a plugin on or off. */
  async enable(name: string, isEnabled: boolean): Promise<void> {
    await this.#change(async ({ plugins }) => {
      const plugin = plugins.get(name)
      if (plugin !== undefined) plugins.set(name, { ...plugin, isEnabled })
      return []
    })
  }

  /** Removes a plugin with its files and its data. */
  async remove(name: string): Promise<void> {
    await this.#change(async ({ plugins }) => {
      const plugin = plugins.get(name)
      plugins.delete(name)
      return plugin === undefined
        ? []
        : [...this.#filesOf(plugin), placesOf(this.folder, plugin).data, optionPath(this.folder, name)]
    })
  }

  /** Removes a marketplace with its files. Its plugins stay. */
  async removeMarketplace(name: string): Promise<void> {
    await this.#change(async ({ marketplaces }) => {
      const known = marketplaces.get(name)
      marketplaces.delete(name)
      return known === undefined ? [] : [this.marketplaceFolder(known)]
    })
  }

  #filesOf(plugin: InstalledPlugin): readonly string[] {
    const { root, stamps } = placesOf(this.folder, plugin)
    return [root, stamps]
  }

  async #moveIn(from: string, to: string): Promise<void> {
    makePrivateFolder(dirname(to))
    await removeTree(to)
    try {
      renameSync(from, to)
    } catch (error) {
      throw fileError(error, to, 'write')
    }
  }

  /** Changes the record, then removes what it named before. */
  async #change(change: (record: Changed) => Promise<readonly string[]>): Promise<void> {
    makePrivateFolder(this.folder)
    const path = pluginRecordPath(this.folder)
    const lock = await waitForLock(`${path}.lock`, this.#options.lock)
    try {
      const { plugins, marketplaces } = this.read()
      const record = { plugins: new Map(plugins), marketplaces: new Map(marketplaces) }
      const old = await change(record)
      lock.requireHeld()
      await writeAtomically(path, Buffer.from(pluginRecordText(record)), { mode: 0o600 })
      for (const each of old) await removeTree(each)
    } finally {
      lock.release()
    }
  }

  /** Removes copies that a kill left behind. */
  async #sweep(): Promise<void> {
    const now = this.#options.lock.clock.now()
    for (const name of readdirSync(this.folder)) {
      const path = join(this.folder, name)
      const found = name.startsWith('staging-') ? look(path) : undefined
      if (found !== undefined && now - found.mtimeMs > staleMs) await removeTree(path)
    }
  }
}

interface Changed {
  readonly plugins: Map<string, InstalledPlugin>
  readonly marketplaces: Map<string, KnownMarketplace>
}

/** A link on the way could lead out of what was fetched. */
function requireFolder(path: string, top: string, shown: string): void {
  const isInside = isWithin(followed(path), followed(top))
  if (isInside && lookThrough(path)?.isDirectory() === true) return
  throw new PipeError('not_found', `there is no folder ${JSON.stringify(shown)} to take a plugin from`)
}
