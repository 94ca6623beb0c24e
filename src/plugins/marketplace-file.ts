import { isJsonObject, type JsonObject, type JsonValue, textField } from '../json-value.ts'
import { ok, type Result, refused } from '../machine/result.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { readJsonFile } from './json-file.ts'
import { marketplacePlaces } from './peer-places.ts'
import { readPluginName, shownFields } from './plugin-name.ts'
import { type EntrySource, readEntrySource } from './plugin-source.ts'

/** A plugin as a marketplace lists it. */
export interface MarketplaceEntry {
  readonly name: string
  readonly description?: string
  readonly version?: string
  readonly source: EntrySource
  /** Its words about the plugin besides the plugin's own documents. Absent if there are none. */
  readonly components?: JsonObject
}

export interface MarketplaceFile {
  readonly name: string
  readonly entries: readonly MarketplaceEntry[]
  /** Name the entries that cannot be used, and fields without effect. */
  readonly faults: readonly string[]
}

/** The folder of the marketplace whose list this file is; `undefined` for another file. */
export function marketplaceOfFile(path: string): string | undefined {
  const place = marketplacePlaces.find((one) => path.endsWith(`/${one}`))
  return place === undefined ? undefined : path.slice(0, -place.length - 1)
}

const mostEntries = 10_000

/** Reads the list of a marketplace in this folder. A broken entry costs only itself. */
export function readMarketplace(root: string): Result<MarketplaceFile> {
  for (const place of marketplacePlaces) {
    const file = readJsonFile(root, place)
    if (file.type === 'refused') return file
    if (file.value !== undefined) return readDocument(file.value, place)
  }
  return refused(`there is no ${marketplacePlaces[0]}`)
}

function readDocument(document: JsonValue, place: string): Result<MarketplaceFile> {
  const plugins = isJsonObject(document) ? document['plugins'] : undefined
  if (!isJsonObject(document) || !Array.isArray(plugins)) return refused(`${place} has no list of plugins`)
  const name = readPluginName(textField(document, 'name') ?? '')
  if (name.type === 'refused') return refused(`${place}: ${name.reason}`)
  const pluginRoot = textField(document['metadata'], 'pluginRoot') ?? ''
  const faults: string[] = []
  const entries = new Map<string, MarketplaceEntry>()
  for (const value of plugins.slice(0, mostEntries)) {
    const read = readEntry(value, pluginRoot)
    if (read.type === 'refused') faults.push(read.reason)
    else if (entries.has(read.value.name)) faults.push(`${read.value.name} is listed twice: the first counts`)
    else entries.set(read.value.name, read.value)
  }
  const unknown = Object.keys(document).filter((field) => !documentFields.includes(field))
  const ofEntries = plugins
    .slice(0, mostEntries)
    .flatMap((value) => Object.keys(isJsonObject(value) ? value : {}))
  const odd = [...new Set(ofEntries)].filter((field) => !entryFields.includes(field))
  if (unknown.length > 0) faults.push(`no effect here: ${shownFields(unknown)}`)
  if (odd.length > 0) faults.push(`no effect here, in entries: ${shownFields(odd)}`)
  if (plugins.length > mostEntries) faults.push(`only the first ${mostEntries} plugins are read`)
  return ok({ name: name.value, entries: [...entries.values()], faults })
}

/** The fields of an entry that set something up. */
const componentFields = ['skills', 'commands', 'agents', 'hooks', 'mcpServers', 'lspServers', 'outputStyles']

const documentFields = [
  '$schema',
  'name',
  'owner',
  'metadata',
  'plugins',
  'description',
  'version',
  'interface',
]

const entryFields = [
  ...['name', 'source', 'description', 'version', 'author', 'homepage', 'repository', 'license', 'keywords'],
  ...['category', 'tags', 'strict', 'displayName', 'policy', 'interface', ...componentFields],
]

function readEntry(value: unknown, pluginRoot: string): Result<MarketplaceEntry> {
  if (!isJsonObject(value)) return refused('an entry is no object')
  const name = readPluginName(textField(value, 'name') ?? '')
  if (name.type === 'refused') return name
  const source = readEntrySource(value['source'], pluginRoot)
  if (source.type === 'refused') return refused(`${name.value}: ${source.reason}`)
  const said = Object.entries(value).filter(([field]) => componentFields.includes(field))
  const components =
    said.length === 0 ? undefined : Object.fromEntries([...said, ['strict', value['strict'] !== false]])
  const about = { description: textField(value, 'description'), version: textField(value, 'version') }
  return ok({ name: name.value, source: source.value, ...omitUndefined({ ...about, components }) })
}
