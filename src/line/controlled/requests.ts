import type { LocalConversation } from '../../conversation.ts'
import { PipeError } from '../../error.ts'
import { cleanTitle } from '../../history/title-text.ts'
import type { MessageId } from '../../id.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { PermissionMode } from '../../permission.ts'
import { contextUsage } from './context-usage.ts'

/** Lists the requests of a program. */
export interface Controls {
  readonly conversation: LocalConversation
  /** Describes what there is to use: commands, agents, models. Answers `initialize`. Throws `usage` if it asks for what is not in force. */
  describe(request: JsonObject): Promise<JsonObject>
  /** Describes how the MCP servers stand. */
  servers(): Promise<JsonObject>
  /** Reads a mode in any of the words for it. */
  readMode(word: string): PermissionMode | undefined
  /** The word for a mode. */
  wordOf(mode: PermissionMode): string
  /** The model that the conversation began with. */
  readonly firstModel: string
  /** Lets the model think about as much; nothing for as much as at first. Throws `usage`. */
  think(tokens: number | undefined): void
  /** Lets the model think at the level of this word; nothing for as much as at first. Throws `usage` for an unknown one. */
  thinkAt(word: string | undefined): void
  /** Replaces the MCP servers that the program added, and starts the new ones. */
  setServers(servers: JsonObject): Promise<JsonObject>
  /** Starts a server anew. Throws `input`, and `tool` with the reason if it fails. */
  reconnect(server: string): Promise<void>
  /** Turns a server off or on. Throws as `reconnect`. */
  turnServer(server: string, isOn: boolean): Promise<void>
  /** Takes what a server inside the program says by itself. Throws `usage`. */
  hearServer(server: string, message: JsonObject): void
  /** Describes the skills as they are on disk now. */
  skills(): JsonObject
  /** Restores the files to before a message of the user, or says what that would change. Throws `conflict` while a turn runs. */
  rewind(message: string, options: { readonly isTrial: boolean }): Promise<JsonObject>
  /** Finds a message that waits by the program's own id. */
  waiting(id: string): MessageId | undefined
  /** Withdraws a message that waits. Throws `not_found` if it was delivered. */
  withdraw(message: MessageId): Promise<void>
  /** The program's own id of a message; ours if it gave none. */
  idOf(message: MessageId): string
  /** Gives the conversation a title. Throws `input` if it is not saved, or the text has no words. */
  rename(title: string): Promise<void>
  /** Ends the running turn, as the program wants. */
  interrupt(): Promise<void>
}

type Handler = (request: JsonObject, controls: Controls) => Promise<JsonObject>

const handlers: Readonly<Record<string, Handler>> = {
  initialize: (request, { describe }) => describe(request),
  interrupt: async ({ cancel_queued: isAll }, { conversation, interrupt, idOf, withdraw }) => {
    const queued = conversation.queue.map(({ id }) => id)
    const withdrawn = isAll === true ? queued : []
    const names = queued.map(idOf)
    for (const id of withdrawn) await withdraw(id)
    await interrupt()
    return isAll === true ? { still_queued: [], cancelled: names } : { still_queued: names }
  },
  set_model: async ({ model }, { conversation, firstModel }) => {
    const named = typeof model === 'string' && model !== 'default' ? model : firstModel
    return { model: await conversation.setModel(named) }
  },
  set_permission_mode: async ({ mode }, { conversation, readMode, wordOf }) => {
    await conversation.setMode(modeIn(mode, readMode))
    return { mode: wordOf(conversation.settings.mode) }
  },
  set_max_thinking_tokens: async ({ max_thinking_tokens: tokens }, { think }) => {
    if (tokens !== null && tokens !== undefined && typeof tokens !== 'number')
      throw new PipeError('usage', 'max_thinking_tokens must be a number or null')
    think(tokens ?? undefined)
    return {}
  },
  apply_flag_settings: async ({ settings }, controls) => {
    await applySettings(objectIn('settings', settings), controls)
    return {}
  },
  get_settings: async (_, controls) => settingsInForce(controls),
  rename_session: async ({ title, session_id: id }, { conversation, rename }) => {
    if (typeof id === 'string' && id !== conversation.sessionId)
      throw new PipeError('conflict', `the session is ${conversation.sessionId ?? 'not saved'}, not ${id}`)
    await rename(textIn('title', title))
    return {}
  },
  generate_session_title: async ({ description, persist }, { rename }) => {
    const title = cleanTitle(textIn('description', description))
    if (persist === true) await rename(title)
    return { title }
  },
  get_context_usage: async (_, { conversation }) =>
    contextUsage(conversation.contextUse(), conversation.messages),
  mcp_status: (_, { servers }) => servers(),
  mcp_message: async ({ server_name: name, message }, { hearServer }) => {
    hearServer(textIn('server_name', name), objectIn('message', message))
    return {}
  },
  mcp_set_servers: ({ servers }, { setServers }) => setServers(objectIn('servers', servers)),
  mcp_reconnect: async ({ serverName: name }, { reconnect }) => {
    await reconnect(textIn('serverName', name))
    return {}
  },
  mcp_toggle: async ({ serverName: name, enabled }, { turnServer }) => {
    if (typeof enabled !== 'boolean') throw new PipeError('usage', 'enabled must be true or false')
    await turnServer(textIn('serverName', name), enabled)
    return {}
  },
  reload_skills: async (_, { skills }) => skills(),
  rewind_files: ({ user_message_id: id, dry_run: isTrial }, { rewind }) =>
    rewind(textIn('user_message_id', id), { isTrial: isTrial === true }),
  stop_task: async ({ task_id: name }, { conversation }) => {
    if (typeof name !== 'string' || !(await conversation.stopElf(name)))
      throw new PipeError('not_found', `no agent ${JSON.stringify(name)} is running`)
    return {}
  },
  cancel_async_message: async ({ message_uuid: id }, { conversation, waiting, withdraw }) => {
    const found = typeof id === 'string' ? waiting(id) : undefined
    const isWaiting = conversation.queue.some((one) => one.id === found)
    if (found !== undefined && isWaiting) await withdraw(found)
    return { cancelled: isWaiting }
  },
}

/** Describes the settings that `applySettings` changes, as they are now. Files of settings are pipe's own, so none is listed. */
function settingsInForce({ conversation, wordOf }: Controls): JsonObject {
  const { model, thinking, mode } = conversation.settings
  return {
    effective: {
      model,
      permissions: { defaultMode: wordOf(mode) },
      ...omitUndefined({ effortLevel: thinking }),
    },
    sources: [],
    applied: { model, effort: thinking ?? null },
  }
}

/** Changes what can be changed while a conversation runs. Throws `usage` for any other setting, before it changes one. */
async function applySettings(settings: JsonObject, controls: Controls): Promise<void> {
  const { conversation, firstModel, readMode, thinkAt } = controls
  const { model, effortLevel, permissions, ...others } = settings
  const { defaultMode, ...rules } = permissions === null ? {} : objectIn('permissions', permissions ?? {})
  const fixed = [...Object.keys(others), ...Object.keys(rules).map((name) => `permissions.${name}`)]
  if (fixed.length > 0)
    throw new PipeError(
      'usage',
      `cannot be changed while the conversation runs: ${fixed.slice(0, 12).join(', ')}; model, effortLevel and permissions.defaultMode can. Nothing was applied`,
    )
  const mode = defaultMode === undefined || defaultMode === null ? undefined : modeIn(defaultMode, readMode)
  if (effortLevel !== undefined)
    thinkAt(effortLevel === null ? undefined : textIn('effortLevel', effortLevel))
  if (model !== undefined) await conversation.setModel(typeof model === 'string' ? model : firstModel)
  if (mode !== undefined) await conversation.setMode(mode)
}

function modeIn(mode: JsonValue | undefined, readMode: Controls['readMode']): PermissionMode {
  const chosen = typeof mode === 'string' ? readMode(mode) : undefined
  if (chosen === undefined) throw new PipeError('usage', `there is no mode ${JSON.stringify(mode)}`)
  return chosen
}

function textIn(field: string, value: JsonValue | undefined): string {
  if (typeof value === 'string') return value
  throw new PipeError('usage', `${field} is a text`)
}

function objectIn(field: string, value: JsonValue | undefined): JsonObject {
  if (isJsonObject(value)) return value
  throw new PipeError('usage', `${field} must be an object`)
}

/** Carries out what a program asks for. Throws `usage` for what pipe does not have, and the errors of what it does. */
export async function carryOutRequest(request: JsonObject, controls: Controls): Promise<JsonObject> {
  const subtype = String(request['subtype'])
  const handler = new Map(Object.entries(handlers)).get(subtype)
  if (handler === undefined)
    throw new PipeError('usage', `pipe has no control request ${JSON.stringify(subtype)}: it has ${known}`)
  return handler(request, controls)
}

const known = Object.keys(handlers).join(', ')
