import type { Actor } from '../../../actor.ts'
import { AgentEvents } from '../../../agent/agent-events.ts'
import { AuditTrail } from '../../../agent/calls/audit-trail.ts'
import { openSpending, type SessionSpending } from '../../../agent/limits/budget.ts'
import type { AuditLog } from '../../../audit.ts'
import { agentOfSession } from '../../../id.ts'
import type { Session } from '../../../session.ts'
import { consentsOf, withConsents } from '../audit/audited-consent.ts'
import { agentOf } from '../run-actors.ts'
import type { RunAgent } from '../run-agent.ts'
import type { Records } from '../session-records.ts'
import type { WireContext } from '../wire-context.ts'
import { manifestOf } from './manifest.ts'

/** The state of a conversation's loop that the elves of its model use too. It is opened before the tools, which need it. */
export interface LoopState {
  readonly actor: Actor
  /** With that of the agent. */
  readonly systemPrompt: string
  /** Begins with the consents that were given before the run. */
  readonly audit: AuditLog
  readonly events: AgentEvents
  readonly spending: SessionSpending
}

/** Opens the state of the loop. `closing` has the audit log already. */
export function openLoopState(
  { agent, choices, loaded }: Pick<WireContext, 'agent' | 'choices' | 'loaded'>,
  records: Records,
): LoopState {
  const { earlier, lastWritten, log } = records
  const actor = agentOf(choices, agent?.definition.name, loaded.settings)
  const systemPrompt = withPrompt(records.systemPrompt, agent)
  const audit = withConsents(records.audit, consentsOf(loaded, choices))
  // A copy has a log of its own.
  const isPromptAudited =
    records.isPromptAudited === true ||
    (lastWritten !== undefined && earlier?.systemPrompt === systemPrompt && !beganAsAgent(earlier))
  const trail = new AuditTrail(audit, actor.id, isPromptAudited ? undefined : systemPrompt)
  return {
    actor,
    systemPrompt,
    audit,
    events: new AgentEvents(agentOfSession(log.id), trail),
    spending: openSpending(choices.limits, {
      usage: earlier?.usage,
      costUsd: earlier?.costUsd,
      whole: choices.budget,
    }),
  }
}

/** Adds the agent's prompt. The session keeps the prompt without it, because another run may have no agent. */
function withPrompt(systemPrompt: string, agent: RunAgent | undefined): string {
  const prompt = agent?.definition.prompt ?? ''
  return prompt === '' ? systemPrompt : `${systemPrompt}\n\n${prompt}`
}

/** Whether the first run of a session was one of an agent, whose prompt the audit log then holds instead of the session's. */
function beganAsAgent({ messages }: Session): boolean {
  const first = messages.find((message) => message.type === 'user')
  return first !== undefined && manifestOf(first)?.['agent'] !== undefined
}
