import { PipeError } from '../../error.ts'
import type { AgentFact } from '../../event.ts'
import { textMessage } from '../../history/new-message.ts'
import { type AssistantMessage, hookField, textContent } from '../../message.ts'
import type { Agent, Progress } from '../agent.ts'

/** Tells the user what hooks said. */
export function* tellNotices({ hooks }: Agent): Generator<AgentFact, void, undefined> {
  for (const text of hooks?.takeNotices() ?? []) yield { type: 'notice', text }
}

/** Throws `permission` if a hook lets no further round begin. */
export function requireNoStop({ hooks }: Agent): void {
  const reason = hooks?.takeStop()
  if (reason !== undefined)
    throw new PipeError('permission', `a hook ends the turn: ${reason}`, { details: { reason } })
}

/** Asks hooks whether a turn may end with this reply. If not, gives the model their reason and returns true. */
export async function* isProlonged(
  agent: Agent,
  progress: Progress,
  reply: AssistantMessage,
  signal: AbortSignal,
): AsyncGenerator<AgentFact, boolean, undefined> {
  const { hooks } = agent
  if (hooks === undefined || progress.stopReason !== 'end_turn' || progress.error !== undefined) return false
  const timesProlonged = progress.timesProlonged ?? 0
  const reason = await hooks.ending({ said: textContent(reply), timesProlonged }, { signal })
  if (reason === undefined) return false
  progress.timesProlonged = timesProlonged + 1
  yield* sendBack(agent, reason)
  return true
}

/** Tells the model why its turn goes on, or what hooks add to it. */
export async function* sendBack(
  agent: Pick<Agent, 'history' | 'newId' | 'clock'>,
  reason: string,
): AsyncGenerator<AgentFact, void, undefined> {
  const message = { ...textMessage(reason, agent), metadata: { [hookField]: 'true' } }
  await agent.history.append(message)
  yield { type: 'message', message }
}
