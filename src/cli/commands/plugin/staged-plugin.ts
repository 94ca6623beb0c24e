import { PipeError } from '../../../error.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { treeHash } from '../../../plugins/content-tree.ts'
import { moreOf, placesOf } from '../../../plugins/enabled-plugins.ts'
import { type PluginContent, readPlugin } from '../../../plugins/plugin-content.ts'
import type { InstalledPlugin } from '../../../plugins/plugin-record.ts'
import { describeSource } from '../../../plugins/plugin-source.ts'
import type { PluginStore, StagedContent } from '../../../plugins/plugin-store.ts'
import type { RunContext } from '../../run-context.ts'
import { auditTrust } from '../../wiring/audit/open-audit-log.ts'
import type { WantedPlugin } from './plugin-place.ts'

/** Copies a plugin for as long as the work with it takes. */
export async function withStaged<T>(
  store: PluginStore,
  { source }: WantedPlugin,
  work: (staged: StagedContent) => Promise<T>,
): Promise<T> {
  const staged = await store.stage(source)
  try {
    return await work(staged)
  } finally {
    await staged.discard()
  }
}

/** Reads what a copy brings. Throws `invalid` if it is no plugin. */
export function contentOf(
  staged: StagedContent,
  { name, components, folderName }: WantedPlugin,
  store: PluginStore,
): PluginContent {
  const { root } = staged
  const data = placesOf(store.folder, { name: name ?? folderName, hash: '' }).data
  const read = readPlugin({ root, data, folderName, ...omitUndefined({ name, components }) })
  if (read.type === 'ok') return read.value
  throw new PipeError('invalid', `this is not a plugin: ${read.reason}`)
}

/** Returns the entry of a copy in the record. */
export function recordOf(
  { plugin, version }: PluginContent,
  { commit, release }: StagedContent,
  { source, marketplace, components, version: listed }: WantedPlugin,
): Omit<InstalledPlugin, 'hash' | 'isEnabled'> {
  const about = { version: version ?? release ?? listed, commit, marketplace, components }
  return { name: plugin.name, source, ...omitUndefined(about) }
}

/** Records the user's yes, then keeps the copy. */
export async function keepApproved(
  staged: StagedContent,
  record: Omit<InstalledPlugin, 'hash'>,
  store: PluginStore,
  { host, signal }: RunContext,
): Promise<void> {
  const { name, source } = record
  const hash = treeHash(staged.entries, staged.hashes, moreOf(record))
  const audit = { plugin: name, from: describeSource(source), hash }
  await auditTrust(host, { decision: 'trust_granted', audit }, signal)
  await store.keep(staged, record)
}
