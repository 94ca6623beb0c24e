import type { PipeError } from '../error.ts'
import type { AgentFact } from '../event.ts'
import { type Message, textContent } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { askAside, type SideAsking, type SideQuestion } from './side-request.ts'
import summaryPrompt from './summary.md'
import { transcript } from './transcript.ts'

export interface Summarising extends SideAsking {
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
  let reply = yield* askAside(question(messages, summarising), summarising)
  if (reply.error?.code === 'context_overflow')
    reply = yield* askAside(question(messages, { ...summarising, room: room / 2 }), summarising)
  const { message, error } = reply
  const usable = error === undefined && message.stopReason !== 'refusal'
  return { text: usable ? textContent(message).trim() : '', ...omitUndefined({ error }) }
}

function question(
  messages: readonly Message[],
  { room, maxTokens }: Pick<Summarising, 'room' | 'maxTokens'>,
): SideQuestion {
  const text = `<conversation>\n${transcript(messages, room)}\n</conversation>\n\nSummarise it.`
  return { systemPrompt: summaryPrompt, text, maxTokens }
}
