import { PipeError } from '../error.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import { inOwnNames } from './permission-mode.ts'
import { isSettings } from './settings-check.generated.ts'
import { readJsonWithComments, readSettingsText } from './settings-document.ts'
import type { Settings } from './settings-schema.ts'

export type { RuleSettings, ServerSettings, Settings } from './settings-schema.ts'

/**
 * Reads the user's settings; empty if the file is missing. Throws `config` with the file, the position and what is expected
 * there.
 */
export async function readSettings(path: string): Promise<Settings> {
  const value = await readJsonWithComments(path)
  return value === undefined ? {} : checkSettings(value, path)
}

/** Checks settings from the file or the caller that `origin` names. `text` is where they stand. Throws `config` with what is expected. */
export async function checkSettings(value: JsonValue, origin: string, text?: string): Promise<Settings> {
  const named = inOwnNames(value)
  return isSettings(named) ? named : explain(named, origin, text)
}

/** Throws `config` unless the document is an object whose permissions, if any, are valid. */
export async function requirePermissions(document: JsonValue, path: string): Promise<void> {
  if (!isJsonObject(document)) await explain(document, path)
  else if (document['permissions'] !== undefined) {
    const permissions = inOwnNames({ permissions: document['permissions'] })
    if (!isSettings(permissions)) await explain(permissions, path)
  }
}

/** Throws `config` with what is expected. Returns settings that only the schema accepts, as it trims them. */
async function explain(value: JsonValue, path: string, text?: string): Promise<Settings> {
  const { settingsSchema } = await import('./settings-schema.ts')
  const result = settingsSchema.safeParse(value)
  if (result.success) return result.data
  const { settingsFaults } = await import('./settings-fault.ts')
  throw new PipeError(
    'config',
    `${path}:${settingsFaults(result.error.issues, text ?? readSettingsText(path) ?? '').join('; ')}`,
    {
      details: { field: result.error.issues[0]?.path.join('.') ?? '' },
    },
  )
}
