import type { AgentId, InteractionId, MessageId, SessionId, TaskId } from '../../id.ts'
import { systemIds } from '../host.ts'

/** Makes the id of a message: a UUID v4. */
export function newMessageId(): MessageId {
  return systemIds().message()
}

/** Makes the id of an agent that runs: a UUID v4. That of an agent with a session is its session's. */
export function newAgentId(): AgentId {
  return systemIds().agent()
}

/** Makes the id of a session: a UUID v7, so that sessions sort by their start. */
export function newSessionId(): SessionId {
  return systemIds().session()
}

/** Makes the id of a question: `ui_` and 12 characters. */
export function newInteractionId(): InteractionId {
  return systemIds().interaction()
}

/** Makes the id of a task: 21 characters. */
export function newTaskId(): TaskId {
  return systemIds().task()
}

/** Makes the id of a call, for a model that gives none: `tool_` and 12 characters. */
export function newToolCallId(): string {
  return systemIds().toolCall()
}
