import type { ModelChoice } from '../engine.ts'
import type { PipeError } from '../error.ts'
import type { AgentFact } from '../event.ts'
import type { NewId } from '../id.ts'
import { type Message, textContent } from '../message.ts'
import { present } from '../present.ts'
import type { Request } from '../provider.ts'
import { type Asking, ask, type Reply } from './ask.ts'
import summaryPrompt from './summary.md'
import { transcript } from './transcript.ts'

export interface Summarising extends Asking {
  readonly choice: ModelChoice
  readonly newId: NewId
  /** Tokens that the messages may take in the request. */
  readonly room: number
  /** Tokens that the summary may have. `undefined` leaves it to the model. */
  readonly maxTokens: number | undefined
}

export interface Summary {
  /** Empty where there is none. */
  readonly text: string
  /** Why there is none, where the request failed. */
  readonly error?: PipeError
}

/**
 * Asks the model for a summary of messages, which it gets as a text and without tools; once more with half as much of them where
 * that is too long for it. Never throws for a failing provider.
 */
export async function* summarise(
  messages: readonly Message[],
  summarising: Summarising,
): AsyncGenerator<AgentFact, Summary, undefined> {
  const { room } = summarising
  let reply = yield* askQuietly(messages, summarising)
  if (reply.error?.code === 'context_overflow')
    reply = yield* askQuietly(messages, { ...summarising, room: room / 2 })
  const { message, error } = reply
  const usable = error === undefined && message.stopReason !== 'refusal'
  return { text: usable ? textContent(message).trim() : '', ...present({ error }) }
}

/** What the model says is not shown, only that it is asked again. */
async function* askQuietly(
  messages: readonly Message[],
  summarising: Summarising,
): AsyncGenerator<AgentFact, Reply, undefined> {
  const asked = ask(summarising.choice.provider, summaryRequest(messages, summarising), summarising)
  for (;;) {
    const step = await asked.next()
    if (step.done === true) return step.value
    // Where it asks again it holds no connection, so that nothing is left open if this is the last pull.
    if (step.value.type === 'retry') yield { ...step.value, discarded: [] }
  }
}

function summaryRequest(
  messages: readonly Message[],
  { choice, clock, newId, room, maxTokens }: Summarising,
): Request {
  const { model, info, thinking } = choice
  const text = `<conversation>\n${transcript(messages, room)}\n</conversation>\n\nSummarise it.`
  return {
    model,
    systemPrompt: summaryPrompt,
    messages: [
      {
        type: 'user',
        id: newId.message(),
        content: [{ type: 'text', text }],
        timestamp: new Date(clock.now()).toISOString(),
      },
    ],
    tools: [],
    ...present({ info, maxTokens, thinking: thinking && (thinking === 'off' ? 'off' : 'low') }),
  }
}
