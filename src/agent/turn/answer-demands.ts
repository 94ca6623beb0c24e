import type { AgentFact } from '../../event.ts'
import { type AssistantMessage, textContent } from '../../message.ts'
import type { Agent, Progress } from '../agent.ts'
import { sendBack } from './hook-words.ts'

/** Asks what is demanded of an answer. If it falls short, tells the model why and returns true. Throws once a demand gives up. */
export async function* isSentBack(
  agent: Agent,
  progress: Progress,
  reply: AssistantMessage,
  signal: AbortSignal,
): AsyncGenerator<AgentFact, boolean, undefined> {
  progress.isFormal = false
  if (progress.stopReason !== 'end_turn' || progress.error !== undefined) return false
  for (const demand of agent.demands) {
    const objection = await demand.judge(textContent(reply), { signal })
    if (objection === undefined) continue
    progress.isFormal = demand.format !== undefined
    yield* sendBack(agent, objection)
    return true
  }
  return false
}
