import { infoOf, type ModelChoice } from '../../engine.ts'
import { PipeError, throwIfAborted } from '../../error.ts'
import { textMessage } from '../../history/new-message.ts'
import type { Message, UserMessage } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Agent } from '../agent.ts'
import { type SummaryLimits, summarise } from '../compaction/summary.ts'

const heading = '[A branch of this conversation that the user left, as a summary]'
/** Tokens for the summary. */
const maxTokens = 2_000
/** Maximum share of the model's window for the messages to summarise, as sizes are estimates. */
const maxShare = 0.6

function limitsFor(choice: ModelChoice): SummaryLimits {
  const window = infoOf(choice)?.contextWindow ?? Number.POSITIVE_INFINITY
  return { room: window * maxShare, maxTokens }
}

/**
 * Asks the model for a summary of the messages that are left, as a message for the branch that goes on. Throws `aborted`, `budget`, and
 * the error of a request that fails.
 */
export async function summariseBranch(
  left: readonly Message[],
  agent: Agent,
  signal: AbortSignal,
): Promise<UserMessage> {
  const { clock, random, newId, latency, budget, routing } = agent
  const choice = agent.choice()
  budget.requireLeft(choice)
  const asking = summarise(left, {
    clock,
    random,
    newId,
    latency,
    signal,
    limitsFor,
    keep: undefined,
    spent: budget.spent.part(),
    choice,
    preferred: routing.summary ?? [],
  })
  let step = await asking.next()
  while (step.done !== true) step = await asking.next()
  throwIfAborted(signal)
  const { text, by, error } = step.value
  if (error !== undefined) throw error
  if (text === '') throw new PipeError('refused', 'the model wrote no summary of the branch')
  return {
    ...textMessage(`${heading}\n\n${text}`, { newId, clock }),
    metadata: { branch_summary: left.at(-1)?.id ?? '', ...omitUndefined({ summarised_by: by }) },
  }
}
