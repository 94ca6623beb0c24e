import { modelName } from '../../engine.ts'
import type { AssistantMessage, ContentBlock, Message } from '../../message.ts'
import type { Provider, Request } from '../../provider.ts'
import {
  type AskOptions,
  type AttemptedReply,
  annotated,
  type ReplyStep,
  requestReply,
} from './request-reply.ts'

/** The field of a reply's metadata that names the model whose server refused all thinking before it. */
const refusedBy = 'refused_thoughts_by'

/**
 * Asks a model. If the server refuses its own earlier thinking, whose proof another key, server or upstream model cannot read, asks once
 * more without it, and says so in the reply's metadata.
 */
export async function* askWithThoughts(
  provider: Provider,
  request: Request,
  asking: AskOptions,
): AsyncGenerator<ReplyStep, AttemptedReply, undefined> {
  const first = yield* requestReply(provider, request, asking)
  if (first.error?.details['about'] !== 'thoughts' || !request.messages.some(hasProof)) return first
  yield { type: 'notice', text: `${first.error.message}; asking again without its earlier thinking` }
  const again = yield* requestReply(provider, { ...request, messages: bare(request.messages) }, asking)
  if (again.error !== undefined) return again.error.details['about'] === 'thoughts' ? first : again
  const name = modelName({ provider, model: request.model })
  return { ...again, message: annotated(again.message, { [refusedBy]: name }) }
}

/** Leaves out the thinking that the server of a model has refused, as `provider/model`. */
export function withoutRefusedThoughts(messages: readonly Message[], model: string): readonly Message[] {
  const end = messages.findLastIndex(({ metadata }) => metadata?.[refusedBy] === model)
  return end < 0 ? messages : [...bare(messages.slice(0, end)), ...messages.slice(end)]
}

function hasProof({ type, content }: Message): boolean {
  return type === 'assistant' && content.some((block) => block.type === 'thinking' || 'providerData' in block)
}

/** Returns messages without thinking and its proofs. */
function bare(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message): readonly Message[] =>
    message.type === 'assistant' ? bareMessage(message) : [message],
  )
}

function bareMessage(message: AssistantMessage): readonly AssistantMessage[] {
  const content = message.content.flatMap((block): readonly ContentBlock[] => {
    const { providerData: _, ...rest } = block
    return block.type === 'thinking' ? [] : [rest]
  })
  return content.length === 0 ? [] : [{ ...message, content }]
}
