import { existsSync } from 'node:fs'
import { exitCodes, failureOf, PipeError } from '../../../error.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { entryHash, readTree, treeHash } from '../../../plugins/content-tree.ts'
import { contentFault, moreOf, placesOf } from '../../../plugins/enabled-plugins.ts'
import { readAnswers, writeAnswers } from '../../../plugins/option-file.ts'
import { readPlugin } from '../../../plugins/plugin-content.ts'
import type { InstalledPlugin } from '../../../plugins/plugin-record.ts'
import type { PluginStore, StagedContent } from '../../../plugins/plugin-store.ts'
import type { PluginOption } from '../../../plugins/user-config.ts'
import { printWarning } from '../../../terminal/output.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import type { RunContext } from '../../run-context.ts'
import { updateMarketplace } from './marketplace-actions.ts'
import { requireNamed, withPluginStore } from './open-plugin-store.ts'
import { changedAbilities, readAbilities } from './plugin-abilities.ts'
import { changedFiles, describeStaged, hashesByPath, noteLines, requireConsent } from './plugin-consent.ts'
import { describeWanted, type WantedPlugin, wantedFrom } from './plugin-place.ts'
import { contentOf, keepApproved, recordOf, withStaged } from './staged-plugin.ts'

/** Fetches one plugin or all, shows what would change, and swaps each after a yes. Returns the exit code of the first failure. */
export async function updatePlugins(name: string | undefined, context: RunContext): Promise<number> {
  return withPluginStore(context, async (store) => {
    const { plugins } = store.read()
    const asked = name === undefined ? [...plugins.values()] : [requireNamed(plugins, name, 'plugin')]
    const listed = new Set(asked.flatMap(({ marketplace }) => marketplace ?? []))
    let code = 0
    const attempt = async (work: Promise<void>) => {
      const failure = await failureOf(work)
      if (failure === undefined) return
      if (name !== undefined) throw failure
      printWarning(context.host, visibleLine(failure.message))
      code = code === 0 ? exitCodes[failure.code] : code
    }
    for (const marketplace of listed) await attempt(updateMarketplace(marketplace, store))
    for (const plugin of asked) await attempt(updatePlugin(plugin, store, context))
    return code
  })
}

async function updatePlugin(
  installed: InstalledPlugin,
  store: PluginStore,
  context: RunContext,
): Promise<void> {
  const { name, marketplace, source, isEnabled } = installed
  const wanted: WantedPlugin =
    marketplace === undefined ? { source, name, folderName: name } : wantedFrom(name, marketplace, store)
  await withStaged(store, wanted, async (staged) => {
    const record = { ...recordOf(contentOf(staged, wanted, store), staged, wanted), name, isEnabled }
    const hash = treeHash(staged.entries, staged.hashes, moreOf(record))
    const fault = contentFault(store.folder, installed)
    if (hash === installed.hash && fault === undefined) {
      context.host.stdout.write(`up to date: ${name}\n`)
      return
    }
    const lines = await describeUpdate(installed, { staged, wanted, fault }, store, context)
    await requireConsent(lines, `Update the plugin ${name}?`, context)
    const exposed = exposedKeys(installed, contentOf(staged, wanted, store).options, store)
    await keepApproved(staged, record, store, context)
    if (exposed.length > 0) await forgetAnswers(name, exposed, store)
    context.host.stdout.write(`updated: ${name}\n`)
  })
}

/** Options with a secret of the user that the new files call none. Its value would be in texts for a model from then on. */
function exposedKeys(
  { name, components, ...installed }: InstalledPlugin,
  options: readonly PluginOption[],
  store: PluginStore,
): readonly string[] {
  const { root, data } = placesOf(store.folder, { name, hash: installed.hash })
  const old = readPlugin({ root, data, name, ...omitUndefined({ components }) })
  const secret = old.type === 'ok' ? old.value.options.filter(({ isSecret }) => isSecret) : []
  const open = options.filter(({ isSecret }) => !isSecret).map(({ key }) => key)
  return secret.map(({ key }) => key).filter((key) => open.includes(key))
}

async function forgetAnswers(name: string, keys: readonly string[], { folder }: PluginStore): Promise<void> {
  const kept = Object.entries(readAnswers(folder, name)).filter(([key]) => !keys.includes(key))
  await writeAnswers(folder, name, Object.fromEntries(kept))
}

interface Update {
  readonly staged: StagedContent
  readonly wanted: WantedPlugin
  readonly fault: string | undefined
}

/** Describes what an update changes. Where the old files are not what was approved, the new ones are described whole. */
async function describeUpdate(
  installed: InstalledPlugin,
  { staged, wanted, fault }: Update,
  store: PluginStore,
  { signal }: RunContext,
): Promise<readonly string[]> {
  const { name, components } = installed
  const content = contentOf(staged, wanted, store)
  const now = await readAbilities(content, signal)
  const whole = describeStaged(describeWanted(wanted, name), staged, now)
  const { root, data } = placesOf(store.folder, installed)
  const read =
    fault === undefined ? readPlugin({ root, data, name, ...omitUndefined({ components }) }) : undefined
  if (read?.type !== 'ok') return [...(fault === undefined ? [] : [`${name}: ${fault}`]), ...whole]
  const old = await readAbilities(read.value, signal)
  const { entries } = readTree(root)
  const before = hashesByPath(
    entries,
    entries.map((entry) => entryHash(root, entry)),
  )
  const changes = changedAbilities(old.abilities, now.abilities)
  const [first = ''] = whole
  const exposed = exposedKeys(installed, content.options, store)
  const versions = `version ${installed.version ?? 'unknown'} becomes ${content.version ?? staged.release ?? wanted.version ?? 'unknown'}`
  return [
    first,
    versions,
    ...exposed.map((key) => `${key} is no longer a secret, so its value is deleted`),
    changes.length === 0 ? 'By its description, what it may do stays the same.' : 'What it may do changes:',
    ...changes.map((line) => `  ${line}`),
    'Files:',
    ...changedFiles(before, hashesByPath(staged.entries, staged.hashes)).map((line) => `  ${line}`),
    ...noteLines([...now.notes, ...staged.notes]),
  ]
}

/** Turns a plugin on. If its files have changed, shows them whole and asks. Throws `input`, `untrusted`, `usage`. */
export async function enablePlugin(name: string, context: RunContext): Promise<void> {
  await withPluginStore(context, async (store) => {
    const installed = requireNamed(store.read().plugins, name, 'plugin')
    const fault = contentFault(store.folder, installed)
    if (fault === undefined) await store.enable(name, true)
    else await approveAgain(installed, fault, store, context)
    context.host.stdout.write(`on: ${name}\n`)
  })
}

async function approveAgain(
  installed: InstalledPlugin,
  fault: string,
  store: PluginStore,
  context: RunContext,
): Promise<void> {
  const { name, components, source } = installed
  const { root } = placesOf(store.folder, installed)
  const wanted: WantedPlugin = {
    source: { type: 'folder', path: root },
    name,
    ...omitUndefined({ components }),
    folderName: name,
  }
  if (!existsSync(root))
    throw new PipeError('not_found', `the files of ${name} are gone: pipe plugin update ${name} fetches them`)
  await withStaged(store, wanted, async (staged) => {
    const abilities = await readAbilities(contentOf(staged, wanted, store), context.signal)
    const lines = [
      `${name}: ${fault}`,
      ...describeStaged(describeWanted({ ...wanted, source }, name), staged, abilities),
    ]
    await requireConsent(lines, `Turn the plugin ${name} on as it is now?`, context)
    await keepApproved(staged, { ...installed, isEnabled: true }, store, context)
  })
}

/** Turns a plugin off. Throws `input` if there is none of this name. */
export async function disablePlugin(name: string, context: RunContext): Promise<void> {
  await withPluginStore(context, async (store) => {
    requireNamed(store.read().plugins, name, 'plugin')
    await store.enable(name, false)
    context.host.stdout.write(`off: ${name}\n`)
  })
}

/** Deletes a plugin. Throws `input` if there is none of this name. */
export async function removePlugin(name: string, context: RunContext): Promise<void> {
  await withPluginStore(context, async (store) => {
    requireNamed(store.read().plugins, name, 'plugin')
    await store.remove(name)
    context.host.stdout.write(`removed: ${name}\n`)
  })
}
