import { isJsonObject, type JsonObject, type JsonValue, textField } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { readPluginName } from './plugin-name.ts'

/** Another plugin that a plugin needs. */
export interface PluginDependency {
  readonly name: string
  /** The marketplace that lists it. Default: that of the plugin, else any. */
  readonly marketplace?: string
  /** The versions that it needs, in the words of the manifest. Shown, and not compared. */
  readonly version?: string
}

const most = 50

/** Reads what a manifest says of other plugins: names, `NAME@MARKETPLACE`, objects, or an object of versions. A broken entry costs only itself. */
export function readDependencies(
  { dependencies }: JsonObject,
  note: (text: string) => void,
): readonly PluginDependency[] {
  if (dependencies === undefined || dependencies === null) return []
  const entries: readonly JsonValue[] = isJsonObject(dependencies)
    ? Object.entries(dependencies).map(([name, version]) => ({ name, version }))
    : Array.isArray(dependencies)
      ? dependencies
      : [dependencies]
  return entries.slice(0, most).flatMap((entry) => {
    const read = readEntry(entry)
    if (read === undefined)
      note(`a dependency is skipped: ${JSON.stringify(entry).slice(0, 80)} names no plugin`)
    return read ?? []
  })
}

function readEntry(entry: JsonValue): PluginDependency | undefined {
  const text =
    typeof entry === 'string' ? entry : (textField(entry, 'name') ?? textField(entry, 'plugin') ?? '')
  const [, plain = '', behind] = /^([^@]+)(?:@(.+))?$/.exec(text) ?? []
  const name = readPluginName(plain)
  const said = textField(entry, 'marketplace') ?? behind
  const marketplace = said === undefined ? undefined : readPluginName(said)
  if (name.type === 'refused' || marketplace?.type === 'refused') return undefined
  return {
    name: name.value,
    ...omitUndefined({ marketplace: marketplace?.value, version: textField(entry, 'version') }),
  }
}
