import { builtinServers } from '../../../config/models/servers.ts'
import { restrict } from '../../../config/project-settings.ts'
import { checkSettings, readSettings } from '../../../config/settings.ts'
import { hasCode } from '../../../error.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../json-value.ts'
import { nearest } from '../../../ranking/nearest.ts'
import { usageError } from '../../flags.ts'
import { spellKey } from './setting-key.ts'
import type { SettingsFile } from './settings-file.ts'

const help = 'pipe config --help'

/**
 * Reads the value of a setting: as JSON where the schema takes that, else as text. Throws `usage` with what is expected, also for an unknown
 * setting.
 */
export async function readValue(field: readonly string[], text: string): Promise<JsonValue> {
  const parsed = parseJson(text)
  const tries = parsed === undefined ? [text] : typeof parsed === 'string' ? [parsed] : [parsed, text]
  let fault: string | undefined
  for (const value of tries) {
    const found = await faultOf(field, value)
    if (found === undefined) return value
    fault ??= found
  }
  await requireKnown(field)
  throw usageError(fault ?? '', help)
}

/** Throws `usage` if no setting has this key. */
export async function requireKnown(field: readonly string[]): Promise<void> {
  const { settingsSchema } = await import('../../../config/settings-schema.ts')
  const { issues = [] } = settingsSchema.safeParse(nested(field, null)).error ?? {}
  const unknown = issues.find(({ code }) => code === 'unrecognized_keys')
  if (unknown === undefined) return
  const key = spellKey(field)
  const close = nearest(field[0] ?? '', Object.keys(settingsSchema.shape))
  const hint =
    close === undefined || close === field[0] ? '' : `; did you mean ${spellKey([close, ...field.slice(1)])}?`
  throw usageError(`there is no setting called ${key}${hint}`, help)
}

/** Throws `usage` if a project's file may not set this, with the reason. */
export async function requireProjects(
  field: readonly string[],
  value: JsonValue,
  userFile: SettingsFile,
): Promise<void> {
  const user = await readSettings(userFile.path)
  const { refusals } = restrict(nested(field, value), {
    mode: user.permissions?.mode ?? 'default',
    providers: [...builtinServers.map(({ name }) => name), ...Object.keys(user.providers ?? {})],
    approves: () => true,
  })
  const [first] = refusals
  if (first !== undefined) throw usageError(`a project file cannot set it: ${first}`, help)
}

/** Says what is wrong with a value; `undefined` if nothing is. */
async function faultOf(field: readonly string[], value: JsonValue): Promise<string | undefined> {
  try {
    await checkSettings(nested(field, value), '')
    return undefined
  } catch (error) {
    if (!hasCode(error, 'config')) throw error
    return error.message.replace(/^:\d+:\d+: /, '')
  }
}

/** Returns a document with this setting alone. */
function nested(field: readonly string[], value: JsonValue): JsonObject {
  const document = field.reduceRight<JsonValue>((below, name) => ({ [name]: below }), value)
  return isJsonObject(document) ? document : {}
}
