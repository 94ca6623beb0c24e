import * as z from 'zod'
import { agentOfSession, isAgentId, type SessionId } from '../../id.ts'
import { stateSchema } from '../../json/served/snapshot-schema.ts'
import type { AppParts } from '../app-parts.ts'
import type { Hub } from '../live/hub.ts'
import { MessageCounts } from '../live/message-counts.ts'
import { noSession, type StoredSession } from '../live/stored-sessions.ts'
import { defineRoute, nothing, type Route } from '../route.ts'
import { listLimit } from './list-limit.ts'

const agentSchema = z.object({
  id: z.string(),
  state: stateSchema,
  last_activity: z.string(),
  messages_processed: z.int().nonnegative(),
})

type Agent = z.infer<typeof agentSchema>

/** Agents as Sentinel describes them: one for each session, under the ids that their events carry, which survive restarts. */
export function agentRoutes({ hub }: Pick<AppParts, 'hub'>): readonly Route[] {
  const counts = new MessageCounts(hub.stored)
  return [
    defineRoute({
      method: 'get',
      path: '/v1/agents',
      operation: 'listAgents',
      summary: 'The agents of the sessions, most recently active first',
      query: z.object({ limit: listLimit }),
      body: nothing,
      answers: { 200: { description: 'The agents.', schema: z.object({ agents: z.array(agentSchema) }) } },
      handle: async ({ query: { limit }, signal }) => {
        const agents = hub.all.filter(isNew).map(newAgent).reverse().slice(0, limit)
        for await (const stored of hub.stored.list({ signal })) {
          if (agents.length >= limit) break
          if (stored.summary.fault === undefined) agents.push(await describe(stored, { hub, counts, signal }))
        }
        return Response.json({ agents })
      },
    }),
    defineRoute({
      method: 'get',
      path: '/v1/agents/{id}',
      operation: 'getAgent',
      summary: 'The agent of a session',
      query: nothing,
      body: nothing,
      answers: { 200: { description: 'The agent.', schema: agentSchema } },
      handle: async ({ params: { id = '' }, signal }) => {
        const isMeant = (session: SessionId) => session === id || agentOfSession(session) === id
        const live = hub.all.find((one) => isMeant(one.id))
        if (live !== undefined && isNew(live)) return Response.json(newAgent(live))
        const stored =
          (await hub.stored.find(live?.id ?? id, { signal })) ?? (await findNamed(id, hub, signal))
        if (stored === undefined) throw noSession(id)
        return Response.json(await describe(stored, { hub, counts, signal }))
      },
    }),
  ]
}

type Live = Hub['all'][number]

/** Whether a session is open and has no message yet, so that the store does not know it. */
function isNew({ conversation }: Live): boolean {
  return conversation.messages.length === 0
}

function newAgent({ id, conversation, openedAt }: Live): Agent {
  return { id: agentOfSession(id), state: conversation.state, last_activity: openedAt, messages_processed: 0 }
}

/** Finds the session that a user has named, by the id of its agent. */
async function findNamed(id: string, hub: Hub, signal: AbortSignal): Promise<StoredSession | undefined> {
  if (!isAgentId(id)) return undefined
  for await (const stored of hub.stored.list({ signal }))
    if (agentOfSession(stored.summary.id) === id) return stored
  return undefined
}

interface Describing {
  readonly hub: Hub
  readonly counts: MessageCounts
  readonly signal: AbortSignal
}

async function describe(stored: StoredSession, { hub, counts, signal }: Describing): Promise<Agent> {
  const { id, updatedAt } = stored.summary
  const { state = 'idle', messages } = hub.get(id)?.conversation ?? {}
  return {
    id: agentOfSession(id),
    state,
    last_activity: updatedAt,
    messages_processed: messages?.length ?? (await counts.count(stored, signal)),
  }
}
