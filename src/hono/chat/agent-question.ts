import { invalidField } from '../../error.ts'
import type { NewId } from '../../id.ts'
import { beforeFirst } from '../../id.ts'
import { contextLength, type Message, textContent, type UserMessage } from '../../message.ts'
import type { ServedConversation } from '../backend.ts'
import { chosenProject } from '../chosen-project.ts'
import type { HubRequest } from '../live/hub.ts'
import type { ChatParts, SentQuestion } from './sent-question.ts'
import type { NamedModel } from './served-model-name.ts'

/** A message for the agent, with what precedes it in `open.history`. */
export interface AgentQuestion {
  readonly open: HubRequest
  readonly message: UserMessage
  /** Handles questions that nobody sees. */
  readonly onAsk: 'deny' | 'stop'
  /** Tells all events. */
  readonly tellsEvents: boolean
}

/** Makes the last message the question, in a new session of the first project that begins with the others. Throws `invalid`. */
export function agentQuestion(
  {
    systemPrompt,
    messages: sent,
    tellsEvents = false,
    temperature,
    maxTokens,
    thinking,
    ...more
  }: SentQuestion,
  { model, agent }: NamedModel,
  { backend, newId }: Pick<ChatParts, 'backend' | 'newId'>,
): AgentQuestion {
  requireText(more)
  const messages = withOwnIds(sent, newId)
  const message = messages.at(-1)
  if (message?.type !== 'user') throw invalidField('messages', 'The last message must be from the user')
  return {
    message,
    onAsk: backend.onUnwatched === 'stop' ? 'stop' : 'deny',
    tellsEvents,
    open: {
      project: chosenProject(backend),
      session: { type: 'new' },
      history: messages.slice(0, -1),
      model,
      agent,
      temperature,
      thinking,
      maxReplyTokens: maxTokens,
      moreSystemPrompt: systemPrompt === '' ? undefined : systemPrompt,
    },
  }
}

/** Throws `invalid` for what only a model alone can be asked. */
function requireText({ stop, format }: Pick<SentQuestion, 'stop' | 'format'>): void {
  const field = stop !== undefined ? 'stop' : format !== undefined ? 'response_format' : undefined
  if (field !== undefined)
    throw invalidField(
      field,
      'agents do not support it: leave it out, or ask a model directly, as model/NAME',
    )
}

/** Composes the message as the program does, and keeps its own blocks as they are. */
export async function composeQuestion(
  conversation: ServedConversation,
  { message }: AgentQuestion,
  signal: AbortSignal,
): Promise<UserMessage> {
  const { id, timestamp, content, metadata } = message
  const text = textContent(message).trim() === '' ? media : textContent(message)
  await conversation.prepare(text, signal)
  const composed = conversation.compose(text)
  return {
    ...composed,
    id,
    timestamp,
    metadata: { ...metadata, ...composed.metadata },
    content: [...composed.content.slice(0, contextLength(composed)), ...content],
  }
}

/** Stands for the text of a message without any. */
const media = 'images or documents without a word'

/** Gives a message whose id is taken another one, as ids tell the branches of a session apart. */
function withOwnIds(messages: readonly Message[], newId: NewId): readonly Message[] {
  const taken = new Set<string>([beforeFirst])
  return messages.map((message) => {
    const own = taken.has(message.id) ? { ...message, id: newId.message() } : message
    taken.add(own.id)
    return own
  })
}
