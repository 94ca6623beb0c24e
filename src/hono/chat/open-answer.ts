import { invalidField } from '../../error.ts'
import { askAgent } from './agent-answer.ts'
import { agentQuestion } from './agent-question.ts'
import type { AnsweringOptions, ServedAnswer } from './answer.ts'
import { askModel, type ModelQuestion } from './model-answer.ts'
import type { ChatParts, SentQuestion } from './sent-question.ts'
import { explainName, type NamedModel, readModelName } from './served-model-name.ts'

/** Opens the answer of our agent; or of a model alone, if the client has tools of its own or says so. Throws `Refusal` and `PipeError`. */
export async function openAnswer(
  sent: SentQuestion,
  parts: ChatParts,
  options: AnsweringOptions,
): Promise<ServedAnswer> {
  const named = readModelName(sent.model)
  const { tools = [], isForModel = false } = sent
  const isAlone = named.isAlone === true || tools.length > 0 || (isForModel && named.model !== undefined)
  try {
    return isAlone
      ? await openModelAnswer(sent, named, { ...parts, ...options })
      : await askAgent(agentQuestion(sent, named, parts), parts.hub, options)
  } catch (error) {
    throw await explainName(error, named, parts.backend, options)
  }
}

async function openModelAnswer(
  sent: SentQuestion,
  { model, agent }: NamedModel,
  { backend, ...asking }: ChatParts & AnsweringOptions,
): Promise<ServedAnswer> {
  if (agent !== undefined)
    throw invalidField('model', 'an agent has tools of its own: leave tools out, or name a model')
  const served = await backend.openModel(model, asking)
  return askModel(served, modelQuestion(sent), asking)
}

/** The part of a request that goes to the model; the server handles the rest. */
function modelQuestion({ systemPrompt, messages, tools = [], ...options }: SentQuestion): ModelQuestion {
  const { toolChoice, temperature, maxTokens, thinking, stop, format, parallelCalls } = options
  const settings = { toolChoice, temperature, maxTokens, thinking, stop, format, parallelCalls }
  return { systemPrompt, messages, tools, ...settings }
}
