import { type Candidate, type ModelChoice, modelName } from '../../engine.ts'
import { isPipeError, type PipeError } from '../../error.ts'
import type { AgentFact } from '../../event.ts'
import { type Message, textContent } from '../../message.ts'
import { openCandidate } from '../request/model-route.ts'
import { askAside, isWholeAnswer, type SideAsking, type SideQuestion } from '../request/side-request.ts'
import { transcript } from './summarised-transcript.ts'
import summaryPrompt from './summary.md'

/** Limits of a request for a summary, in tokens. */
export interface SummaryLimits {
  /** Maximum size of the messages in the request. */
  readonly room: number
  /** Maximum size of the summary. `undefined` leaves it to the model. */
  readonly maxTokens: number | undefined
}

/** `choice` is the conversation's model. */
export interface Summarising extends SideAsking {
  /** Asked first, in this order. */
  readonly preferred: readonly Candidate[]
  readonly limitsFor: (choice: ModelChoice) => SummaryLimits
  /** Names what the summary must keep, in the user's words. */
  readonly keep: string | undefined
}

export interface Summary {
  /** Empty if there is no summary. */
  readonly text: string
  /** `provider/model` that was asked last. */
  readonly by?: string
  /** The error of a failed request. */
  readonly error?: PipeError | undefined
}

/**
 * Asks the preferred models to summarise messages, and the conversation's own model if they fail or cannot be opened. Never throws for
 * a failing provider.
 */
export async function* summarise(
  messages: readonly Message[],
  summarising: Summarising,
): AsyncGenerator<AgentFact, Summary, undefined> {
  const { choice, preferred, signal } = summarising
  const own = modelName(choice)
  const names = [...preferred.map(({ name }) => name), own]
  const others = preferred.slice(0, names.indexOf(own))
  for (const [i, candidate] of others.entries()) {
    const opened = await openCandidate(candidate, choice)
    const summary = isPipeError(opened)
      ? { text: '', error: opened }
      : yield* summariseBy(opened, messages, summarising)
    if (summary.text !== '' || signal.aborted) return summary
    const reason = `no summary: ${summary.error?.message ?? 'the model gave none'}`
    yield { type: 'fallback', from: candidate.name, to: names[i + 1] ?? own, reason, discarded: [] }
  }
  return yield* summariseBy(choice, messages, summarising)
}

/** Asks one model, which gets the messages as one text without tools. If that is too long, asks once more with half of it. */
async function* summariseBy(
  choice: ModelChoice,
  messages: readonly Message[],
  summarising: Summarising,
): AsyncGenerator<AgentFact, Summary, undefined> {
  const limits = summarising.limitsFor(choice)
  const asking = { ...summarising, choice }
  const compose = (room: number) => question(messages, { ...limits, room, keep: summarising.keep })
  let reply = yield* askAside(compose(limits.room), asking)
  if (reply.error?.code === 'context_overflow') reply = yield* askAside(compose(limits.room / 2), asking)
  const { message, error } = reply
  const usable = error === undefined && isWholeAnswer(message)
  const text = usable ? textContent(message).trim() : ''
  return { text, by: modelName(choice), error }
}

function question(
  messages: readonly Message[],
  { room, maxTokens, keep }: SummaryLimits & Pick<Summarising, 'keep'>,
): SideQuestion {
  const wish = keep === undefined ? '' : ` The person asks you to keep, above all: ${keep}`
  const text = `<conversation>\n${transcript(messages, room)}\n</conversation>\n\nSummarise it.${wish}`
  return { systemPrompt: summaryPrompt, text, maxTokens }
}
