import { PipeError } from '../error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'
import { dialects } from '../server.ts'
import { readDocument } from './document.ts'
import { providerName } from './model-name.ts'
import { permissionModes } from './permission-mode.ts'
import type { Settings } from './schema.ts'

export type { ServerSettings, Settings } from './schema.ts'

/** The user's settings; an absent file is no settings. Throws `config` naming the file, the place in it and what is expected there. */
export async function readSettings(path: string): Promise<Settings> {
  const value = await readDocument(path)
  if (value === undefined) return {}
  return isPlain(value) ? value : explain(value, path)
}

/**
 * Whether the commonest settings, a model, a mode and servers of plain strings, are all there is. It spares a start the loading
 * of the schema; whatever it does not know at a glance goes to `explain`.
 */
function isPlain(value: JsonValue): value is Settings & JsonValue {
  if (!isJsonObject(value)) return false
  return Object.entries(value).every(([key, entry]) => {
    if (key === 'model') return isWord(entry)
    if (key === 'permissions') return isJsonObject(entry) && isPlainMode(entry)
    return (
      key === 'providers' &&
      isJsonObject(entry) &&
      Object.entries(entry).every(([name, server]) => providerName.test(name) && isPlainServer(server))
    )
  })
}

function isPlainMode({ mode, ...others }: JsonObject): boolean {
  return permissionModes.some((one) => one === mode) && Object.keys(others).length === 0
}

function isPlainServer(value: JsonValue): boolean {
  if (!isJsonObject(value) || !dialects.some((dialect) => dialect === value['dialect'])) return false
  return Object.entries(value).every(([key, entry]) => {
    if (key === 'base_url') return isWord(entry) && /^https?:\/\//.test(entry) && URL.canParse(entry)
    return key === 'dialect' || (key === 'api_key_env' && isWord(entry))
  })
}

function isWord(value: JsonValue): value is string {
  return typeof value === 'string' && /^\S+$/.test(value)
}

async function explain(value: JsonValue, path: string): Promise<Settings> {
  const { settingsSchema } = await import('./schema.ts')
  const result = settingsSchema.safeParse(value)
  if (result.success) return result.data
  const problems = result.error.issues.map(
    (issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`,
  )
  throw new PipeError('config', `${path}: ${problems.join('; ')}`, {
    details: { field: result.error.issues[0]?.path.join('.') ?? '' },
  })
}
