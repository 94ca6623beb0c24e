import { isJsonObject, type JsonValue } from '../../../json-value.ts'
import { usageError } from '../../flags.ts'

/** Reads the key of a setting: `permissions.mode`, `models."mine/large-2.5".images`. Throws `usage`. */
export function parseSettingKey(text: string): readonly string[] {
  const parts = Array.from(
    text.matchAll(/\.?(?:"((?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*)"|([^."\s]+))/giu),
  )
  const isWhole = text !== '' && !text.startsWith('.') && parts.map(([whole]) => whole).join('') === text
  if (isWhole) return parts.map(([, quoted, plain]) => plain ?? String(JSON.parse(`"${quoted}"`)))
  throw usageError(
    `${JSON.stringify(text)} is not the name of a setting; join names with dots, and quote those that contain one: 'models."mine/large-2.5".images'`,
    'pipe config --help',
  )
}

/** Spells a key so that `parseSettingKey` reads it. */
export function spellKey(field: readonly string[]): string {
  return field.map((name) => (/^[\w/:-]+$/.test(name) ? name : JSON.stringify(name))).join('.')
}

/** Lists the settings of a document, each with its key: all values but objects that hold any. */
export function* settingsIn(
  value: JsonValue,
  field: readonly string[] = [],
): Generator<readonly [field: readonly string[], value: JsonValue]> {
  if (!isJsonObject(value) || (Object.keys(value).length === 0 && field.length > 0)) yield [field, value]
  else for (const [name, entry] of Object.entries(value)) yield* settingsIn(entry, [...field, name])
}
