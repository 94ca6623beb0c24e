import { oneLine } from '../../../characters/one-line.ts'
import { PipeError } from '../../../error.ts'
import { tableText } from '../../../frontend/words/text-table.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { readMarketplace } from '../../../plugins/marketplace-file.ts'
import { describeSource } from '../../../plugins/plugin-source.ts'
import type { PluginStore } from '../../../plugins/plugin-store.ts'
import { printWarning } from '../../../terminal/output.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import { usageError } from '../../flags.ts'
import type { RunContext } from '../../run-context.ts'
import { JsonList } from '../json-list.ts'
import { requireNamed, withPluginStore } from './open-plugin-store.ts'
import { readPlace, requireMarketplace } from './plugin-place.ts'

type MarketplaceAction = (word: string | undefined, store: PluginStore, context: RunContext) => Promise<void>

const actions: Readonly<Record<string, MarketplaceAction>> = {
  list: listMarketplaces,
  ls: listMarketplaces,
  add: addMarketplace,
  update: updateMarketplaces,
  remove: removeMarketplace,
  rm: removeMarketplace,
}

/** Runs an action on marketplaces: the first word, `list` by default. Throws `usage`, `input`, `conflict`. */
export async function runMarketplace(
  [name = 'list', word]: readonly string[],
  context: RunContext,
): Promise<void> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined
  if (action === undefined)
    throw usageError(
      `pipe plugin marketplace does not take ${JSON.stringify(name)}, but list, add, update and remove`,
      'pipe plugin --help',
    )
  if (name !== 'list' && context.flags.format === 'json')
    throw usageError(`pipe plugin marketplace ${name} prints text, not json`, 'pipe plugin --help')
  await withPluginStore(context, (store) => action(word, store, context))
}

/** Copies a marketplace. Nothing of it counts until a plugin is added. */
async function addMarketplace(
  word: string | undefined,
  store: PluginStore,
  { host }: RunContext,
): Promise<void> {
  if (word === undefined)
    throw usageError(
      'pipe plugin marketplace add needs a folder, an address or OWNER/REPO',
      'pipe plugin --help',
    )
  const source = readPlace(word, host)
  const staged = await store.stage(source)
  try {
    const { name, entries, faults } = requireMarketplace(staged.root, word)
    if (store.read().marketplaces.has(name))
      throw new PipeError(
        'conflict',
        `there is already a marketplace ${name}: pipe plugin marketplace update ${name} fetches it again, remove ${name} deletes it`,
      )
    await store.keepMarketplace(staged, name)
    host.stdout.write(`added: the marketplace ${name} with ${entries.length} plugins\n`)
    for (const fault of faults) printWarning(host, visibleLine(`${name}: ${fault}`))
  } finally {
    await staged.discard()
  }
}

/** Fetches a marketplace anew. A failure leaves the old copy. Throws `input`, `invalid`. */
export async function updateMarketplace(name: string, store: PluginStore): Promise<void> {
  const known = requireNamed(store.read().marketplaces, name, 'marketplace')
  const staged = await store.stage(known.source)
  try {
    const now = requireMarketplace(staged.root, name)
    if (now.name !== name)
      throw new PipeError(
        'invalid',
        `the marketplace ${name} is now called ${now.name}: remove it and add it again`,
      )
    await store.keepMarketplace(staged, name)
  } finally {
    await staged.discard()
  }
}

async function updateMarketplaces(
  word: string | undefined,
  store: PluginStore,
  { host }: RunContext,
): Promise<void> {
  for (const name of word === undefined ? store.read().marketplaces.keys() : [word]) {
    await updateMarketplace(name, store)
    host.stdout.write(`updated: the marketplace ${name}\n`)
  }
}

async function removeMarketplace(
  word: string | undefined,
  store: PluginStore,
  { host }: RunContext,
): Promise<void> {
  const { name } = requireNamed(store.read().marketplaces, word ?? '', 'marketplace')
  await store.removeMarketplace(name)
  host.stdout.write(`removed: the marketplace ${name}; its plugins stay\n`)
}

async function listMarketplaces(
  word: string | undefined,
  store: PluginStore,
  context: RunContext,
): Promise<void> {
  if (word !== undefined) return listEntries(word, store, context)
  const { host, flags } = context
  const rows = [...store.read().marketplaces.values()].map((known) => {
    const read = readMarketplace(store.marketplaceFolder(known))
    const plugins = read.type === 'ok' ? read.value.entries.length : 0
    const fault = read.type === 'ok' ? undefined : read.reason
    return { name: known.name, source: describeSource(known.source), plugins, ...omitUndefined({ fault }) }
  })
  if (flags.format === 'json') {
    const listed = new JsonList(host.stdout, 'marketplaces')
    for (const row of rows) listed.add(row)
    listed.end()
  } else if (rows.length === 0)
    printWarning(host, 'no marketplaces yet: pipe plugin marketplace add OWNER/REPO adds one')
  else {
    const cells = rows.map(({ name, plugins, source }) => [name, String(plugins), visibleLine(source)])
    host.stdout.write(`${tableText([['NAME', 'PLUGINS', 'FROM'], ...cells])}\n`)
  }
  for (const { name, fault } of rows)
    if (fault !== undefined) printWarning(host, visibleLine(`${name}: ${fault}`))
}

async function listEntries(word: string, store: PluginStore, { host, flags }: RunContext): Promise<void> {
  const known = requireNamed(store.read().marketplaces, word, 'marketplace')
  const { entries } = requireMarketplace(store.marketplaceFolder(known), word)
  if (flags.format === 'json') {
    const listed = new JsonList(host.stdout, 'plugins')
    for (const { name, description, version } of entries)
      listed.add({ name, ...omitUndefined({ description, version }) })
    listed.end()
    return
  }
  const rows = entries.map(({ name, description = '' }) => [`${name}@${word}`, oneLine(description, 100)])
  host.stdout.write(`${tableText([['NAME', 'DESCRIPTION'], ...rows.map((row) => row.map(visibleLine))])}\n`)
}
