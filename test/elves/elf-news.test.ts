import { describe, expect, it } from 'vitest'
import { NewsQueue } from '../../src/elves/elf-news.ts'
import type { AgentEvent } from '../../src/event.ts'
import { countingIds } from '../support/messages/ids.ts'
import { thrown } from '../support/thrown.ts'

const agentId = countingIds().agent()
const event = (seq: number): AgentEvent => ({ agentId, seq, type: 'state', from: 'idle', to: 'thinking' })
const { signal } = new AbortController()

describe('the news of elves', () => {
  it('are taken in order, and waited for', async () => {
    const news = new NewsQueue()
    const first = news.take(signal)
    news.add({ type: 'event', event: event(1) })
    news.add({ type: 'ended', name: 'e1' })
    expect([await first, await news.take(signal), news.isFilled]).toEqual([
      { type: 'event', event: event(1) },
      { type: 'ended', name: 'e1' },
      false,
    ])
  })

  it('lose only the oldest events where nobody takes them', async () => {
    const news = new NewsQueue()
    news.add({ type: 'ended', name: 'e1' })
    for (let seq = 1; seq <= 10_001; seq++) news.add({ type: 'event', event: event(seq) })
    expect(await news.take(signal)).toEqual({ type: 'ended', name: 'e1' })
    expect(await news.take(signal)).toEqual({ type: 'event', event: event(5_001) })
  })

  it('lose no answer, which ends a question', async () => {
    const news = new NewsQueue()
    const response = { interactionId: countingIds().interaction(), answeredBy: 'user_local' }
    const answered: AgentEvent = { agentId, seq: 1, type: 'interaction_responded', response }
    news.add({ type: 'event', event: answered })
    for (let seq = 2; seq <= 10_001; seq++) news.add({ type: 'event', event: event(seq) })
    expect(await news.take(signal)).toEqual({ type: 'event', event: answered })
    expect(await news.take(signal)).toEqual({ type: 'event', event: event(5_002) })
  })

  it('forget that an elf has ended', () => {
    const news = new NewsQueue()
    news.add({ type: 'ended', name: 'e1' })
    news.forget('e1')
    expect(news.isFilled).toBe(false)
  })

  it('are no longer waited for when the signal fires', async () => {
    const stop = new AbortController()
    const waiting = thrown(() => new NewsQueue().take(stop.signal))
    stop.abort()
    expect(await waiting).toMatchObject({ code: 'aborted' })
  })
})
