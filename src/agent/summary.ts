import type { ModelChoice } from '../engine.ts'
import type { PipeError } from '../error.ts'
import type { AgentFact } from '../event.ts'
import type { NewId } from '../id.ts'
import { type Message, textContent } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import type { Request } from '../provider.ts'
import { type Asking, ask, type Reply } from './ask.ts'
import summaryPrompt from './summary.md'
import { transcript } from './transcript.ts'

export interface Summarising extends Asking {
  readonly choice: ModelChoice
  readonly newId: NewId
  /** Maximum tokens of the messages in the request. */
  readonly room: number
  /** Maximum tokens of the summary. `undefined` leaves it to the model. */
  readonly maxTokens: number | undefined
}

export interface Summary {
  /** Empty if there is no summary. */
  readonly text: string
  /** The error of a failed request. */
  readonly error?: PipeError
}

/**
 * Asks the model to summarise messages, which it gets as one text without tools. If that is too long, asks once more with half
 * of it. Never throws for a failing provider.
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
  return { text: usable ? textContent(message).trim() : '', ...omitUndefined({ error }) }
}

/** Hides the reply's events and yields only retries. */
async function* askQuietly(
  messages: readonly Message[],
  summarising: Summarising,
): AsyncGenerator<AgentFact, Reply, undefined> {
  const asked = ask(summarising.choice.provider, summaryRequest(messages, summarising), summarising)
  for (;;) {
    const step = await asked.next()
    if (step.done === true) return step.value
    // No connection is open during a retry, so nothing leaks if this is the last pull.
    if (step.value.type === 'retry') yield { ...step.value, discarded: [] }
    else while ((await step.value.next()) !== undefined);
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
    ...omitUndefined({ info, maxTokens, thinking: thinking && (thinking === 'off' ? 'off' : 'low') }),
  }
}
