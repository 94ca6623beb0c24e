import type { DriverOptions } from '../../../src/agent/conversation/driver-options.ts'
import type { Checkpoints } from '../../../src/history/checkpoint.ts'
import type { ServedConversation } from '../../../src/hono/backend.ts'
import type { SessionId } from '../../../src/id.ts'
import type { LastTurn } from '../../../src/session.ts'
import { type AgentSetup, openAgent } from '../conversations/agent.ts'
import { driven } from '../conversations/driven.ts'
import { otherIds } from '../messages/ids.ts'
import { text, timestamp } from '../messages/messages.ts'

/** Opens a conversation of a server, with a scripted model. */
export function openServedConversation(
  sessionId: SessionId,
  setup: AgentSetup,
  options: Partial<DriverOptions> = {},
): ServedConversation {
  const { conversation } = openAgent(setup)
  const newId = otherIds()
  return Object.assign(driven(conversation, { ...options, sessionId }), {
    agent: undefined,
    warnings: [],
    prepare: async () => undefined,
    requireKnownCommand: () => undefined,
    changes: async () => undefined,
    saveEnd: (turn: LastTurn) => conversation.saveEnd(turn),
    compose: (words: string) => ({
      type: 'user' as const,
      id: newId.message(),
      timestamp,
      content: [text(words)],
    }),
  })
}

/** Makes the end of each turn take as long as this to save its files. */
export function savingUntil(saved: Promise<void>): Checkpoints {
  return {
    begin: () => undefined,
    save: async () => undefined,
    keep: async () => undefined,
    end: async () => {
      await saved
      return undefined
    },
  }
}
