import type { LocalConversation } from '../../conversation.ts'
import { PipeError } from '../../error.ts'
import type { MessageId } from '../../id.ts'
import type { JsonObject } from '../../json-value.ts'
import type { PermissionMode } from '../../permission.ts'

/** Lists the requests of a program. */
export interface Controls {
  readonly conversation: LocalConversation
  /** Describes what there is to use: commands, agents, models. Answers `initialize`. */
  describe(): Promise<JsonObject>
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
  /** Finds a message that waits by the program's own id. */
  waiting(id: string): MessageId | undefined
  /** Ends the running turn, as the program wants. */
  interrupt(): Promise<void>
}

type Handler = (request: JsonObject, controls: Controls) => Promise<JsonObject>

const handlers: Readonly<Record<string, Handler>> = {
  initialize: (_, { describe }) => describe(),
  interrupt: async (_, { conversation, interrupt }) => {
    const queued = conversation.queue.map(({ id }) => id)
    await interrupt()
    return { still_queued: queued }
  },
  set_model: async ({ model }, { conversation, firstModel }) => {
    const named = typeof model === 'string' && model !== 'default' ? model : firstModel
    return { model: await conversation.setModel(named) }
  },
  set_permission_mode: async ({ mode }, { conversation, readMode, wordOf }) => {
    const chosen = typeof mode === 'string' ? readMode(mode) : undefined
    if (chosen === undefined) throw new PipeError('usage', `there is no mode ${JSON.stringify(mode)}`)
    await conversation.setMode(chosen)
    return { mode: wordOf(conversation.settings.mode) }
  },
  set_max_thinking_tokens: async ({ max_thinking_tokens: tokens }, { think }) => {
    if (tokens !== null && tokens !== undefined && typeof tokens !== 'number')
      throw new PipeError('usage', 'max_thinking_tokens is a number or null')
    think(tokens ?? undefined)
    return {}
  },
  mcp_status: (_, { servers }) => servers(),
  stop_task: async ({ task_id: name }, { conversation }) => {
    if (typeof name !== 'string' || !(await conversation.stopElf(name)))
      throw new PipeError('not_found', `no agent ${JSON.stringify(name)} is at work`)
    return {}
  },
  cancel_async_message: async ({ message_uuid: id }, { conversation, waiting }) => {
    const found = typeof id === 'string' ? waiting(id) : undefined
    const isWaiting = conversation.queue.some((one) => one.id === found)
    if (found !== undefined && isWaiting) await conversation.takeBack(found)
    return { cancelled: isWaiting }
  },
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
