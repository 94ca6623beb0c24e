import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../src/event.ts'
import { TurnEventReader } from '../../../src/hono/chat/turn-event-reader.ts'
import { countingIds } from '../../support/messages/ids.ts'

const agentId = countingIds().agent()

function event(seq: number): AgentEvent {
  return { type: 'saved', agentId, seq }
}

describe('the events of a turn', () => {
  it('come in order, all that wait at once, until the turn is over', async () => {
    const events = new TurnEventReader()
    const pending = events.take()
    void events.add(event(1))
    expect(await pending).toEqual([event(1)])
    void events.add(event(2))
    void events.add(event(3))
    events.end()
    expect(await events.take()).toEqual([event(2), event(3)])
    expect(await events.take()).toEqual([])
  })

  it('make the turn wait for a reader that lags behind', async () => {
    const events = new TurnEventReader()
    let seq = 0
    let waiting: Promise<void> | undefined
    while (waiting === undefined) waiting = events.add(event(++seq))
    expect(seq).toBe(256)
    expect(await events.take()).toHaveLength(256)
    await waiting
  })

  it('hold up no turn whose reader has left', async () => {
    const events = new TurnEventReader()
    const waiting = Array.from({ length: 256 }, (_, i) => events.add(event(i + 1))).at(-1)
    events.end()
    await waiting
    expect(events.add(event(257))).toBeUndefined()
  })
})
