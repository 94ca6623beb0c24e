import type { LayeredSettings, SettingsSource } from '../../../config/layers.ts'
import { maskedSetting } from '../../../config/masked-setting.ts'
import { valueAt } from '../../../config/save.ts'
import type { Settings } from '../../../config/settings.ts'
import { readJsonWithComments } from '../../../config/settings-document.ts'
import { type JsonValue, parseJson } from '../../../json-value.ts'
import { printable } from '../../../terminal/printable.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import { readOwnSettings } from '../../choices.ts'
import type { RunContext } from '../../run-context.ts'
import { openSettings } from '../../wiring/read-settings.ts'
import { JsonList } from '../json-list.ts'
import { requireKnown } from './checked-setting.ts'
import { parseSettingKey, settingsIn, spellKey } from './setting-key.ts'
import { settingsFile } from './settings-file.ts'

/** Prints the settings in force, each with where it comes from, or those of the file of `--scope`. Secrets are masked. Throws `config`. */
export async function listSettings(context: RunContext): Promise<void> {
  const { host, flags } = context
  const rows = rowsOf(await readScope(context))
  if (flags.format === 'json') {
    const list = new JsonList(host.stdout, 'settings')
    for (const { origins, ...row } of rows)
      list.add({ ...row, origins: origins.map(({ source }) => ({ type: source.type, name: source.name })) })
    return list.end()
  }
  for (const row of rows) {
    const from = sourcesOf(row).map(visibleLine).join(', ')
    host.stdout.write(`${visibleLine(row.key)} = ${visibleLine(JSON.stringify(row.value))}  (${from})\n`)
  }
}

/** A setting in force, without secrets, and the layers that have it. */
export interface SettingRow {
  readonly key: string
  readonly value: JsonValue
  readonly origins: Scope['layers']
}

/** Lists the settings of these layers that are set. */
export function settingRows(loaded: Pick<LayeredSettings, 'settings' | 'layers'>): readonly SettingRow[] {
  return rowsOf(scopeOf(loaded))
}

function scopeOf({ settings, layers }: Pick<LayeredSettings, 'settings' | 'layers'>): Scope {
  return {
    value: asJson(settings),
    layers: layers.map((layer) => ({ source: layer.source, value: asJson(layer.settings) })),
  }
}

function rowsOf({ value, layers }: Scope): readonly SettingRow[] {
  return Array.from(settingsIn(value), ([field, one]) => ({
    key: spellKey(field),
    value: maskedSetting(field, one),
    origins: layers.filter((layer) => valueAt(layer.value, field) !== undefined),
  }))
}

/** Names what sets a setting. Lists of rules are joined from all layers; of other settings the strongest layer counts. */
export function sourcesOf({ key, value, origins }: SettingRow): readonly string[] {
  const named = key.startsWith('permissions.') && Array.isArray(value) ? origins : origins.slice(-1)
  return named.map(({ source }) => source.name)
}

/** Prints the value in force of a setting, or that of the file of `--scope`: a text as it is, else JSON. Returns 1 if it is not set. */
export async function printSetting(key: string, context: RunContext): Promise<number> {
  const field = parseSettingKey(key)
  const value = valueAt((await readScope(context)).value, field)
  if (value === undefined) {
    await requireKnown(field)
    return 1
  }
  const { stdout } = context.host
  if (context.flags.format === 'json') stdout.write(`${printableJson({ key: spellKey(field), value })}\n`)
  else {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    stdout.write(`${stdout.isTerminal ? printable(text) : text}\n`)
  }
  return 0
}

/** Settings of one file, or of all. */
interface Scope {
  readonly value: JsonValue
  readonly layers: readonly { readonly source: SettingsSource; readonly value: JsonValue }[]
}

async function readScope(context: RunContext): Promise<Scope> {
  const { host, flags } = context
  if (flags.text('scope') === undefined) {
    const { settings, layers } = await openSettings(host, readOwnSettings(flags))
    return scopeOf({ settings, layers })
  }
  const { scope, path } = settingsFile(context)
  const value = (await readJsonWithComments(path)) ?? {}
  return { value, layers: [{ source: { type: scope, name: path }, value }] }
}

/** Leaves out fields without a value. */
function asJson(settings: Settings): JsonValue {
  return parseJson(JSON.stringify(settings)) ?? {}
}
