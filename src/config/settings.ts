import { actorKinds, capabilities } from '../actor.ts'
import { PipeError } from '../error.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import { dialects } from '../machine/server.ts'
import { permissionModes } from '../permission.ts'
import { agentPattern, isActorId, userPattern } from './actors.ts'
import { readDocument, readText } from './document.ts'
import { modelPattern, plainName } from './models/model-name.ts'
import { preferences } from './models/routes.ts'
import {
  auditDetails,
  databaseUrl,
  notifications,
  screenThemes,
  servedHost,
  servedOrigin,
  stdinUses,
} from './own-choices.ts'
import { inOwnNames } from './permission-mode.ts'
import type { Settings } from './schema.ts'

export type { RuleSettings, ServerSettings, Settings } from './schema.ts'

/**
 * Reads the user's settings; empty if the file is missing. Throws `config` with the file, the position and what is expected
 * there.
 */
export async function readSettings(path: string): Promise<Settings> {
  const value = await readDocument(path)
  return value === undefined ? {} : checkSettings(value, path)
}

/** Checks settings from the file or the caller that `origin` names. Throws `config` with what is expected. */
export async function checkSettings(value: JsonValue, origin: string): Promise<Settings> {
  const named = inOwnNames(value)
  return isPlain(named) ? named : explain(named, origin)
}

/** Throws `config` unless the document is an object whose permissions, if any, are valid. */
export async function requirePermissions(document: JsonValue, path: string): Promise<void> {
  if (!isJsonObject(document)) await explain(document, path)
  else if (document['permissions'] !== undefined) {
    const permissions = inOwnNames({ permissions: document['permissions'] })
    if (!isPlain(permissions)) await explain(permissions, path)
  }
}

type Check = (value: JsonValue) => boolean

/** Checks for the commonest settings: models, a mode and servers with plain strings. */
const plainServer: Readonly<Record<string, Check>> = {
  dialect: oneOf(dialects),
  base_url: (value) => isWord(value) && /^https?:\/\//.test(value) && URL.canParse(value),
  api_key_env: isWord,
}
const plainSettings: Readonly<Record<string, Check>> = {
  model: isWord,
  routes: byName((value) => isModel(value) || (areModels(value) && value.length > 0)),
  fallback: areModels,
  prefer: oneOf(preferences),
  compaction: withFields({ auto: isBoolean }),
  local: isBoolean,
  audit: oneOf(auditDetails),
  elves: isBoolean,
  actor: (value) => typeof value === 'string' && userPattern.test(value),
  actors: areActors,
  tools: withFields({ task: isBoolean }),
  memory: withFields({ enabled: isBoolean, budget: isCount, tool: isBoolean, store: isVectorStore }),
  recall: (value) => typeof value === 'boolean' || value === 'all',
  stdin: oneOf(stdinUses),
  permissions: withFields({ mode: oneOf(permissionModes), allow: isRules, ask: isRules, deny: isRules }),
  tasks: withFields({ store: (value) => typeof value === 'string' && databaseUrl.test(value) }),
  tui: withFields({
    ...{ theme: oneOf(screenThemes), notify: oneOf(notifications) },
    ...{ cursor: isBoolean, keys: byName(areKeys) },
  }),
  worktree: withFields({ setup: isWord }),
  serve: withFields({ hosts: areAll(servedHost), origins: areAll(servedOrigin) }),
  ca_file: (value) => typeof value === 'string' && /^(\/|~\/)./.test(value),
  providers: byName(withFields(plainServer)),
}

/** Whether the settings are of the commonest kinds. Saves loading the schema at start; `explain` checks all others. */
function isPlain(value: JsonValue): value is Settings & JsonValue {
  return withFields(plainSettings)(value)
}

function withFields(checks: Readonly<Record<string, Check>>): Check {
  return (value) =>
    isJsonObject(value) &&
    Object.entries(value).every(([key, entry]) => Object.hasOwn(checks, key) && checks[key]?.(entry) === true)
}

function byName(check: Check): Check {
  return (value) =>
    isJsonObject(value) &&
    Object.entries(value).every(([name, entry]) => plainName.test(name) && check(entry))
}

function oneOf(words: readonly string[]): Check {
  return (value) => words.some((word) => word === value)
}

function isVectorStore(value: JsonValue): boolean {
  return value === 'file' || (typeof value === 'string' && databaseUrl.test(value))
}

function areAll(pattern: RegExp): Check {
  return (value) => Array.isArray(value) && value.every((one) => typeof one === 'string' && pattern.test(one))
}

function areKeys(value: JsonValue): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.every((key) => typeof key === 'string'))
}

function isBoolean(value: JsonValue): boolean {
  return typeof value === 'boolean'
}

function isCount(value: JsonValue): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

const isActor = withFields({
  kind: oneOf(actorKinds),
  display_name: (value) => typeof value === 'string' && value !== '',
  capabilities: (value) => Array.isArray(value) && value.every(oneOf(capabilities)),
  default_agent_id: (value) => typeof value === 'string' && agentPattern.test(value),
})

/** Whether these are actors whose kinds, if given, are those of their ids. */
function areActors(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false
  return Object.entries(value).every(([id, actor]) => {
    const kind = isJsonObject(actor) ? actorKinds.find((one) => one === actor['kind']) : undefined
    return isActor(actor) && isActorId(id, kind)
  })
}

function areModels(value: JsonValue): value is JsonValue[] {
  return Array.isArray(value) && value.every(isModel)
}

function isModel(value: JsonValue): boolean {
  return typeof value === 'string' && modelPattern.test(value)
}

/**
 * Whether these are rules without examples. Their text is checked when they are read: a rule dropped here would forbid nothing.
 */
function isRules(value: JsonValue): value is string[] {
  return Array.isArray(value) && value.every((rule) => typeof rule === 'string' && rule !== '')
}

function isWord(value: JsonValue): value is string {
  return typeof value === 'string' && /^\S+$/.test(value)
}

async function explain(value: JsonValue, path: string): Promise<Settings> {
  const { settingsSchema } = await import('./schema.ts')
  const result = settingsSchema.safeParse(value)
  if (result.success) return result.data
  const { settingsFaults } = await import('./settings-fault.ts')
  throw new PipeError(
    'config',
    `${path}:${settingsFaults(result.error.issues, readText(path) ?? '').join('; ')}`,
    {
      details: { field: result.error.issues[0]?.path.join('.') ?? '' },
    },
  )
}
