import { capabilities } from '../actor.ts'
import { enumerate } from '../characters/enumerate.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'
import { allOf, ok, type Result, refused } from '../machine/result.ts'
import { type PermissionMode, permissionModes } from '../permission.ts'
import { isActorId } from './actors.ts'
import { mergeSettings } from './merge-settings.ts'
import { preferences } from './models/route-models.ts'
import { isLooser, readPermissionMode } from './permission-mode.ts'
import type { RuleSettings, Settings } from './settings-schema.ts'

/** The user's own settings, which limit those of a project. */
export interface OwnSettings {
  readonly mode: PermissionMode
  /** The providers that the user knows. */
  readonly providers: readonly string[]
  /** Whether the user approved these allow rules of the project. */
  approves(rules: readonly RuleSettings[]): boolean
}

export interface ProjectSettings {
  readonly settings: Settings
  /** Allow rules that the user has not approved. */
  readonly proposed: readonly RuleSettings[]
  /** Ignored fields, one line per reason. */
  readonly refusals: readonly string[]
}

/**
 * Keeps what any project may set: models of known providers, compaction, a mode no looser than the user's, deny and ask rules, and
 * approved allow rules. So no project can reach other servers, use other keys or allow more than the user did.
 */
export function restrict(document: JsonValue, own: OwnSettings): ProjectSettings {
  if (!isJsonObject(document)) return { settings: {}, proposed: [], refusals: ['expected an object'] }
  let settings: Settings = {}
  let proposed: readonly RuleSettings[] = []
  const ignored = new Map<string, string[]>()
  for (const [field, value] of leaves(document, deepest)) {
    // They count once approved, as `findHookFiles` and `findProjectPrograms` read them.
    if (/^((hooks|lsp|formatters)(\.|$)|tui\.status_line$)/.test(field)) continue
    if (field === 'permissions.allow' && isRuleList(value) && !own.approves(value)) proposed = value
    const judged = judge(field, value, own)
    if (judged.type === 'ok') {
      settings = mergeSettings(settings, judged.value)
      continue
    }
    const fields = ignored.get(judged.reason)
    if (fields === undefined) ignored.set(judged.reason, [field])
    else fields.push(field)
  }
  const refusals = [...ignored].map(([reason, fields]) => `ignored ${enumerate(fields, 5)}: ${reason}`)
  return { settings, proposed, refusals }
}

/** Depth of settings: `providers.NAME.FIELD`. */
const deepest = 3

/** Yields the fields of a document with their values, named such as `permissions.mode`. */
function* leaves(value: JsonObject, depth: number): Generator<[field: string, value: JsonValue]> {
  for (const [key, entry] of Object.entries(value)) {
    const name = spell(key)
    if (depth === 1 || !isJsonObject(entry)) yield [name, entry]
    else for (const [below, leaf] of leaves(entry, depth - 1)) yield [`${name}.${below}`, leaf]
  }
}

/** Quotes a key that is not a plain word, so that it cannot forge a dot or a line. */
function spell(key: string): string {
  return /^[\w-]{1,40}$/.test(key) ? key : JSON.stringify(key.slice(0, 40))
}

/** Returns the settings of an accepted field, or the reason why it is ignored. */
function judge(field: string, value: JsonValue, own: OwnSettings): Result<Settings> {
  // Its server gets the texts of all sessions, not only those of the project.
  if (field === 'routes.embedding') return refused('only your own settings choose the model for embeddings')
  const [, route] = /^routes\.([a-z0-9][\w-]*)$/i.exec(field) ?? []
  if (route !== undefined) return judgeRoute(route, value, own)
  const [, actor] = /^actors\.([\w-]+)\.capabilities$/.exec(field) ?? []
  if (actor !== undefined && isActorId(actor)) return judgeCapabilities(actor, value)
  switch (field) {
    case 'model':
      return judgeModel(value, own)
    case 'fallback':
      return judgeFallback(value, own)
    case 'prefer':
      return judgePreference(value)
    case 'compaction.auto':
      return typeof value === 'boolean'
        ? ok({ compaction: { auto: value } })
        : refused('expected true or false')
    case 'permissions.mode':
      return judgeMode(value, own)
    case 'permissions.deny':
      return isRuleList(value) ? ok({ permissions: { deny: value } }) : expectedRules
    case 'permissions.ask':
      return isRuleList(value) ? ok({ permissions: { ask: value } }) : expectedRules
    case 'permissions.allow':
      return judgeAllow(value, own)
    case 'audit':
      return refused('only your own settings set what an audit log keeps')
    case 'stdin':
      return refused('only your own settings set how stdin is used')
    case 'tasks.store':
      return refused('only your own settings say where tasks are kept')
    case 'memory.store':
      return refused('only your own settings say where vectors are kept')
    case 'worktree.setup':
      return refused('only your own settings name a command to run')
    case 'recall':
      return refused('only your own settings let the model search earlier conversations')
    case 'system_prompt':
      return refused('project instructions for the model belong in AGENTS.md')
  }
  return refused(refusalOf(field))
}

function refusalOf(field: string): string {
  if (field.startsWith('providers.'))
    return 'only your own settings may set the server, key and headers of a model'
  if (/^actors?\b/.test(field)) return 'only your own settings say who acts; a project may limit capabilities'
  if (/^mcp_servers\b/.test(field)) return 'the servers of a project belong in .mcp.json, which you approve'
  if (/^memory\b/.test(field)) return 'only your own settings say what is remembered'
  if (field.startsWith('tools.')) return 'only your own settings give the model more tools'
  return 'a project may set only model, routes, fallback, prefer, compaction, permissions and capabilities'
}

/** Layers of settings leave an actor only the capabilities that all of them give it. */
function judgeCapabilities(actor: string, value: JsonValue): Result<Settings> {
  const listed = Array.isArray(value)
    ? value.map((one) => capabilities.find((known) => known === one))
    : [undefined]
  const known = listed.filter((one) => one !== undefined)
  if (known.length < listed.length) return refused(`expected a list of ${capabilities.join(', ')}`)
  return ok({ actors: { [actor]: { capabilities: known } } })
}

function judgeModel(value: JsonValue, own: OwnSettings): Result<{ readonly model: string }> {
  const match = typeof value === 'string' ? /^([^/]+)\/[\x21-\x7e]{1,200}$/.exec(value) : null
  const [model, provider] = match ?? []
  if (model === undefined || provider === undefined)
    return refused('expected provider/model, such as openai/gpt-5')
  return own.providers.includes(provider)
    ? ok({ model })
    : refused(`your settings have no provider called ${spell(provider)}`)
}

function judgeRoute(name: string, value: JsonValue, own: OwnSettings): Result<Settings> {
  if (Array.isArray(value) && value.length > 0) {
    const judged = judgeModels(value, own)
    return judged.type === 'refused' ? judged : ok({ routes: { [name]: judged.value } })
  }
  const judged = judgeModel(value, own)
  return judged.type === 'refused' ? judged : ok({ routes: { [name]: judged.value.model } })
}

function judgeFallback(value: JsonValue, own: OwnSettings): Result<Settings> {
  if (!Array.isArray(value)) return refused('expected a list of provider/model')
  const judged = judgeModels(value, own)
  return judged.type === 'refused' ? judged : ok({ fallback: judged.value })
}

/** Accepts the whole list or nothing: its order matters. */
function judgeModels(values: readonly JsonValue[], own: OwnSettings): Result<string[]> {
  const judged = allOf(values.map((entry) => judgeModel(entry, own)))
  return judged.type === 'refused' ? judged : ok(judged.value.map(({ model }) => model))
}

function judgePreference(value: JsonValue): Result<Settings> {
  const prefer = preferences.find((one) => one === value)
  return prefer === undefined ? refused(`expected ${preferences.join(', ')}`) : ok({ prefer })
}

/** Returns a rule without its examples, as the user approves it. */
export function spellingOf(rule: RuleSettings): string {
  return typeof rule === 'string' ? rule : rule.rule
}

/** Checks the shape only; `requirePermissions` has validated the rules. */
function isRuleList(value: JsonValue): value is (RuleSettings & JsonValue)[] {
  return (
    Array.isArray(value) &&
    value.every(
      (rule) => typeof rule === 'string' || (isJsonObject(rule) && typeof rule['rule'] === 'string'),
    )
  )
}

const expectedRules = refused('expected a list of rules, such as Bash(git push:*)')

function judgeAllow(value: JsonValue, own: OwnSettings): Result<Settings> {
  if (!isRuleList(value)) return expectedRules
  return value.length === 0 || own.approves(value)
    ? ok({ permissions: { allow: value } })
    : refused('the allow rules of a project need your approval: run pipe trust')
}

function judgeMode(value: JsonValue, own: OwnSettings): Result<Settings> {
  const mode = readPermissionMode(value)
  if (mode === undefined) return refused(`expected ${permissionModes.join(', ')}`)
  return isLooser(mode, own.mode)
    ? refused(`${mode} is looser than your own ${own.mode}; a project can only tighten it`)
    : ok({ permissions: { mode } })
}
