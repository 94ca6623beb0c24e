import type { ModelChoice } from '../../engine.ts'
import type { AgentFact } from '../../event.ts'
import { textMessage } from '../../history/new-message.ts'
import type { NewId } from '../../id.ts'
import type { AssistantMessage } from '../../message.ts'
import type { Request } from '../../provider.ts'
import { type AskOptions, type AttemptedReply, requestReply } from './request-reply.ts'

/** A question to a model that is not part of the conversation. */
export interface SideQuestion {
  readonly systemPrompt: string
  readonly text: string
  /** Maximum tokens of the reply. `undefined` leaves it to the model. */
  readonly maxTokens: number | undefined
}

export interface SideAsking extends AskOptions {
  readonly choice: ModelChoice
  readonly newId: NewId
}

/** Asks without tools and with little thinking. Hides the reply's events and yields only retries. Never throws for a failing provider. */
export async function* askAside(
  question: SideQuestion,
  asking: SideAsking,
): AsyncGenerator<Extract<AgentFact, { type: 'retry' }>, AttemptedReply, undefined> {
  const asked = requestReply(asking.choice.provider, sideRequest(question, asking), asking)
  for (;;) {
    const step = await asked.next()
    if (step.done === true) return step.value
    const { type } = step.value
    // No connection is open during a retry, so nothing leaks if this is the last pull.
    if (type === 'retry' && step.value.attempt > 0) yield { ...step.value, discarded: [] }
    if (type === 'reply') while ((await step.value.next()) !== undefined);
  }
}

/** Whether the model ended its answer itself. */
export function isWholeAnswer({ stopReason }: AssistantMessage): boolean {
  return stopReason === 'end_turn' || stopReason === 'unknown'
}

function sideRequest({ systemPrompt, text, maxTokens }: SideQuestion, asking: SideAsking): Request {
  const { model, info, thinking } = asking.choice
  return {
    model,
    systemPrompt,
    messages: [textMessage(text, asking)],
    tools: [],
    info,
    maxTokens,
    thinking: thinking && (thinking === 'off' ? 'off' : 'low'),
  }
}
