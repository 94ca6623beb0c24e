import { describe, expect, it } from 'vitest'
import type { Provider } from '../../src/provider.ts'
import { createReplayProvider } from '../../src/replay/provider.ts'
import { openStream } from '../../src/stream.ts'
import { deferred } from '../support/clocks/deferred.ts'
import { stillClock } from '../support/clocks/still-clock.ts'
import { calls, round, says } from '../support/conversations/agent.ts'
import type { ConversationSetup, OpenConversation } from '../support/conversations/opened.ts'
import { asks } from '../support/conversations/questions.ts'
import { reading } from '../support/conversations/reader.ts'
import { scriptedTools } from '../support/conversations/scripted-tools.ts'
import { savingUntil } from '../support/live/served-conversation.ts'
import { countingIds } from '../support/messages/ids.ts'
import { messageId, timestamp } from '../support/messages/messages.ts'
import { say, talkOf, waiting } from './conversation.ts'

const never = new Promise<void>(() => undefined)

/** The states in which a turn can be interrupted, each with the first sign of it. */
const states: readonly (readonly [string, string, () => ConversationSetup])[] = [
  ['while the model speaks', 'text_delta', () => ({ provider: haltingFirst() })],
  ['during a call', 'tool_output', () => waiting(never, round(says('Third.')))],
  [
    'at an open question',
    'interaction_requested',
    () => ({
      executor: scriptedTools({ ask: asks('Which way?') }),
      rounds: [round(calls('tc_1', 'ask')), round(says('Seen.')), round(says('Third.'))],
    }),
  ],
]

/** Cases of `interrupt`, in every state of a conversation. */
export function describeInterrupts(name: string, open: OpenConversation): void {
  describe(`${name}: an interrupt`, () => {
    it('in the tick of a send ends the turn that it begins', async () => {
      const { conversation, local } = await open({ provider: haltingFirst() })
      const reader = await reading(conversation)
      await Promise.all([conversation.send(say('hello')), conversation.interrupt()])
      expect(await reader.until('ended')).toMatchObject({ ending: { stopReason: 'aborted' } })
      expect(talkOf(local.messages)[0]).toBe('hello')
      await conversation.send(say('again'))
      expect(await reader.until('ended')).toMatchObject({ ending: { stopReason: 'end_turn' } })
    })

    it.each(states)('%s ends the turn; what waits goes on waiting', async (_, sign, setup) => {
      const { conversation, local } = await open(setup())
      const reader = await reading(conversation)
      await conversation.send(say('first'))
      await reader.until(sign)
      await conversation.send(say('waits'), 'later')
      await conversation.interrupt()
      expect(await reader.until('ended')).toMatchObject({ ending: { stopReason: 'aborted' } })
      await expect.poll(() => local.isRunning).toBe(false)
      expect(local.queue.map(({ text }) => text)).toEqual(['waits'])
      expect(await conversation.send(say('next'))).toBe('started')
      await expect.poll(() => [local.queue, local.isRunning]).toEqual([[], false])
      const users = local.messages.filter(({ type }) => type === 'user')
      expect(talkOf(users)).toEqual(['first', 'next', 'waits'])
    })

    it('while the turn ends leaves it as it was; what waits goes on waiting', async () => {
      const [gate, saved] = [deferred(), deferred()]
      const checkpoints = savingUntil(saved.promise)
      const { conversation, local } = await open({
        ...waiting(gate.promise, round(says('Three.'))),
        checkpoints,
      })
      const reader = await reading(conversation)
      await conversation.send(say('first'))
      await reader.until('tool_output')
      await conversation.send(say('waits'), 'later')
      gate.resolve()
      await reader.until('turn_end')
      await conversation.interrupt()
      saved.resolve()
      expect(await reader.until('ended')).toMatchObject({ ending: { stopReason: 'end_turn' } })
      await expect.poll(() => local.isRunning).toBe(false)
      expect(local.queue.map(({ text }) => text)).toEqual(['waits'])
      await conversation.goOn()
      await expect.poll(() => talkOf(local.messages)).toEqual(['first', '', 'Seen.', 'waits', 'Three.'])
    })
  })
}

/** A model whose first reply begins and never ends. */
function haltingFirst(): Provider {
  const newId = countingIds()
  const rounds = [round(says('Two.')), round(says('Three.')), round(says('Four.'))]
  const next = createReplayProvider({ script: { rounds }, newId, clock: stillClock() })
  const speaker = { id: messageId(77), timestamp, provider: 'halting', model: 'script' }
  let isFirst = true
  return {
    name: 'halting',
    stream: (request, options) => {
      if (!isFirst) return next.stream(request, options)
      isFirst = false
      return openStream(
        async function* (closed) {
          yield { type: 'text_delta', id: 'block_0', delta: 'Half' }
          await new Promise((_, reject) => closed.addEventListener('abort', () => reject(closed.reason)))
          return { stopReason: 'end_turn' }
        },
        speaker,
        options.signal,
      )
    },
  }
}
