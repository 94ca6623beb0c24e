import { readFileSync } from 'node:fs'
import { PipeError } from '../error.ts'
import { systemCode } from '../files/system-error.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson, textField } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { pluginNameForm } from './plugin-name.ts'
import { decodeSource, encodeSource, type PluginSource } from './plugin-source.ts'
import { pluginRecordPath } from './record-place.ts'

/** A plugin that the user added. */
export interface InstalledPlugin {
  readonly name: string
  readonly source: PluginSource
  /** The marketplace that lists it. */
  readonly marketplace?: string
  readonly isEnabled: boolean
  /** From `treeHash`: what the user approved. */
  readonly hash: string
  /** The entry of its marketplace. */
  readonly components?: JsonObject
  readonly version?: string
  /** The commit that it was taken from. */
  readonly commit?: string
}

/** A marketplace that the user added. */
export interface KnownMarketplace {
  readonly name: string
  readonly source: PluginSource
  /** The name of its folder. */
  readonly folder: string
  readonly commit?: string
}

/** All that the user added, by its name. */
export interface PluginRecord {
  readonly plugins: ReadonlyMap<string, InstalledPlugin>
  readonly marketplaces: ReadonlyMap<string, KnownMarketplace>
}

const currentVersion = 1

/** Reads what was added; nothing if there is no file. Throws `config` if it is broken or of a newer version. */
export function readPluginRecord(folder: string): PluginRecord {
  const path = pluginRecordPath(folder)
  const text = readPluginFile(path)
  const document = text === undefined ? { version: currentVersion } : parseJson(text)
  if (!isJsonObject(document)) throw broken(path)
  const { version, plugins = {}, marketplaces = {} } = document
  if (typeof version === 'number' && version > currentVersion)
    throw new PipeError('config', `${path} has version ${version}, which needs a newer pipe`)
  if (version !== currentVersion || !isJsonObject(plugins) || !isJsonObject(marketplaces)) throw broken(path)
  const all = <T>(fields: JsonObject, read: (name: string, value: JsonValue) => T | undefined) =>
    new Map(
      Object.entries(fields).map(([name, value]): [string, T] => {
        const entry = pluginNameForm.test(name) ? read(name, value) : undefined
        if (entry === undefined) throw broken(path)
        return [name, entry]
      }),
    )
  return { plugins: all(plugins, readInstalled), marketplaces: all(marketplaces, readKnown) }
}

/** Writes the record as the text of its file. */
export function pluginRecordText({ plugins, marketplaces }: PluginRecord): string {
  const document = {
    version: currentVersion,
    plugins: Object.fromEntries(
      [...plugins].map(([name, { name: _, source, isEnabled, ...rest }]) => [
        name,
        { source: encodeSource(source), enabled: isEnabled, ...rest },
      ]),
    ),
    marketplaces: Object.fromEntries(
      [...marketplaces].map(([name, { name: _, source, ...rest }]) => [
        name,
        { source: encodeSource(source), ...rest },
      ]),
    ),
  }
  return `${JSON.stringify(document, undefined, 2)}\n`
}

function readInstalled(name: string, value: JsonValue): InstalledPlugin | undefined {
  if (!isJsonObject(value)) return undefined
  const { enabled, components } = value
  const [source, hash, marketplace] = [
    decodeSource(value['source']),
    textField(value, 'hash'),
    textField(value, 'marketplace'),
  ]
  if (source === undefined || hash === undefined || !/^[0-9a-f]{64}$/.test(hash)) return undefined
  if (typeof enabled !== 'boolean') return undefined
  const about = { marketplace, version: textField(value, 'version'), commit: textField(value, 'commit') }
  const listed = isJsonObject(components) ? components : undefined
  return { name, source, isEnabled: enabled, hash, ...omitUndefined({ ...about, components: listed }) }
}

function readKnown(name: string, value: JsonValue): KnownMarketplace | undefined {
  const source = isJsonObject(value) ? decodeSource(value['source']) : undefined
  const folder = textField(value, 'folder')
  if (source === undefined || folder === undefined || !/^[\w-]{1,100}$/.test(folder)) return undefined
  return { name, source, folder, ...omitUndefined({ commit: textField(value, 'commit') }) }
}

/** Returns the text of a file of plugins; `undefined` if there is none. Throws `config`. */
export function readPluginFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT') return undefined
    if (code === undefined) throw error
    throw new PipeError('config', `cannot read ${path}: ${code}`, { cause: error })
  }
}

function broken(path: string): PipeError {
  return new PipeError('config', `${path} is damaged: repair it, or delete it and add your plugins again`)
}
