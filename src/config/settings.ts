import { readFileSync } from 'node:fs'
import { PipeError } from '../error.ts'
import { isJsonObject, type JsonValue, parseJson } from '../json-value.ts'
import type { PermissionMode } from '../permission.ts'
import { providerName } from './model-name.ts'
import type { Settings } from './schema.ts'

export type { ServerSettings, Settings } from './schema.ts'

export const permissionModes: readonly PermissionMode[] = [
  'default',
  'accept-edits',
  'plan',
  'auto',
  'bypass',
]

/**
 * The user's settings; an absent file is no settings. Comments and trailing commas are allowed. Throws `config` naming the
 * file, the place in it and what is expected there.
 */
export async function readSettings(path: string): Promise<Settings> {
  const text = readIfThere(path)
  if (text === undefined || text.trim() === '') return {}
  const value = parseJson(text) ?? (await parseWithComments(text, path))
  return isPlain(value) ? value : explain(value, path)
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new PipeError('config', `cannot read ${path}: ${code}`, { cause: error })
  }
}

async function parseWithComments(text: string, path: string): Promise<JsonValue> {
  const { parse, printParseErrorCode } = await import('jsonc-parser')
  const errors: import('jsonc-parser').ParseError[] = []
  const value: JsonValue = parse(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first === undefined) return value
  const before = text.slice(0, first.offset).split('\n')
  const place = `${path}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
  throw new PipeError('config', `${place}: not valid JSON (${printParseErrorCode(first.error)})`)
}

/**
 * Whether the commonest settings, one model and servers of plain strings, are all there is. It spares a start the loading of
 * the schema; whatever it does not know at a glance goes to `explain`.
 */
function isPlain(value: JsonValue): value is Settings & JsonValue {
  if (!isJsonObject(value)) return false
  return Object.entries(value).every(([key, entry]) => {
    if (key === 'model') return isWord(entry)
    return (
      key === 'providers' &&
      isJsonObject(entry) &&
      Object.entries(entry).every(([name, server]) => providerName.test(name) && isPlainServer(server))
    )
  })
}

function isPlainServer(value: JsonValue): boolean {
  if (!isJsonObject(value) || value['dialect'] !== 'openai-chat') return false
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
