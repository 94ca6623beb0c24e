import { expect, it, onTestFinished } from 'vitest'
import { askAgent } from '../../../src/hono/chat/agent-answer.ts'
import { Hub } from '../../../src/hono/live/hub.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { round, says } from '../../support/conversations/agent.ts'
import { scriptedBackend } from '../../support/live/served.ts'
import { openServedConversation } from '../../support/live/served-conversation.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { text, user } from '../../support/messages/messages.ts'

it('has left its session when its end is told, so that a message may follow at once', async () => {
  const sessionId = countingIds().session()
  const open = async () => openServedConversation(sessionId, { rounds: [round(says('Hello.'))] })
  const hub = new Hub({ backend: scriptedBackend({ open }), clock: createHandClock() })
  onTestFinished(() => hub.close())
  const question = {
    open: { project: { name: 'here', cwd: '/here' }, session: { type: 'new' as const } },
    message: user(text('hi')),
    tellsEvents: false,
    onAsk: 'deny' as const,
  }
  const { signal } = new AbortController()
  const { parts } = await askAgent(question, hub, { signal, isStreamed: true })
  const openAt: [string, boolean][] = []
  for await (const { type } of parts) openAt.push([type, hub.get(sessionId) !== undefined])
  expect(openAt).toEqual([
    ['begin', true],
    ['text', true],
    ['end', false],
  ])
})
