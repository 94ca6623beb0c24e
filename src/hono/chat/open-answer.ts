import { omitUndefined } from '../../omit-undefined.ts'
import type { ThinkingLevel, ToolChoice } from '../../provider.ts'
import type { Tool } from '../../tool.ts'
import type { AppParts } from '../app.ts'
import { askAgent } from './agent-answer.ts'
import { agentQuestion } from './agent-question.ts'
import type { Answering, AnsweringOptions } from './answer.ts'
import { invalid } from './content.ts'
import { askModel } from './model-answer.ts'
import { explainName, type NamedModel, readModelName } from './model-name.ts'
import type { SentHistory } from './sent-history.ts'

export type ChatParts = Pick<AppParts, 'backend' | 'hub' | 'clock' | 'newId' | 'random'>

/** A client's question, in any format. */
export interface SentQuestion extends SentHistory {
  /** As the client names it. Default: the agent with its usual model. */
  readonly model?: string
  readonly temperature?: number
  readonly maxTokens?: number
  readonly thinking?: ThinkingLevel
  /** Tools of the client, which carries out their calls. Default: none. */
  readonly tools?: readonly Tool[]
  readonly toolChoice?: ToolChoice
  /** Tells all events of the agent. */
  readonly tellsEvents?: boolean
}

/** Opens the answer of our agent; or of a model alone, if the client has tools of its own or says so. Throws `Refusal` and `PipeError`. */
export async function openAnswer(
  sent: SentQuestion,
  parts: ChatParts,
  options: AnsweringOptions,
): Promise<Answering> {
  const named = readModelName(sent.model)
  const { tools = [] } = sent
  try {
    return named.isAlone === true || tools.length > 0
      ? await openModelAnswer(sent, named, { ...parts, ...options })
      : await askAgent(agentQuestion(sent, named, parts), parts.hub, options)
  } catch (error) {
    throw await explainName(error, named, parts.backend, options)
  }
}

async function openModelAnswer(
  { systemPrompt, messages, tools = [], toolChoice, temperature, maxTokens, thinking }: SentQuestion,
  { model, agent }: NamedModel,
  { backend, ...asking }: ChatParts & AnsweringOptions,
): Promise<Answering> {
  if (agent !== undefined)
    throw invalid('model', 'an agent has tools of its own: leave tools out, or name a model')
  const settings = omitUndefined({ toolChoice, temperature, maxTokens, thinking })
  const served = await backend.openModel(model, asking)
  return askModel(served, { systemPrompt, messages, tools, ...settings }, asking)
}
