import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/event.ts'
import { drawLive } from '../../src/ink/live/live-rows.ts'
import { Store } from '../../src/ink/store.ts'
import { createHandClock } from '../support/clocks/hand-clock.ts'
import { countingIds } from '../support/messages/ids.ts'
import { asks, emptyScreen, follow } from './conversation.ts'
import { plain } from './screen-text.ts'

const agentId = countingIds().agent()
const delta = (words: string): AgentEvent => ({ type: 'text_delta', id: 'a', delta: words, agentId, seq: 1 })

describe('the store', () => {
  it('shows streamed text at most every 80 ms, and a key at once', async () => {
    const clock = createHandClock()
    const store = new Store(emptyScreen(), clock)
    const shown: string[] = []
    store.subscribe(() => {
      const { draft, prompt } = store.shown().screen
      shown.push(`${draft?.type === 'text' ? draft.blocks.partial : ''}|${prompt.text}`)
    })
    const stream = (words: string) =>
      store.dispatch({ type: 'agent', event: delta(words), at: clock.monotonic() })
    for (const words of ['a', 'b', 'c']) stream(words)
    expect(shown).toEqual(['a|'])
    clock.advance(80)
    await expect.poll(() => shown).toEqual(['a|', 'abc|'])
    stream('d')
    store.dispatch({ type: 'edited', prompt: { ...emptyScreen().prompt, text: 'x' }, at: 0 })
    expect(shown).toEqual(['a|', 'abc|', 'abcd|x'])
    expect(clock.slept).toEqual([80, 80])
    for (let i = 0; i < 5; i++) {
      stream('e')
      store.dispatch({ type: 'tick', now: 0 })
    }
    expect(clock.slept).toEqual([80, 80])
  })

  it('has the same screen whether or not it is read between two deltas', () => {
    const clock = createHandClock()
    const [read, unread] = [new Store(emptyScreen(), clock), new Store(emptyScreen(), clock)]
    const events: AgentEvent[] = [
      ...['One ', 'para', 'graph.\n\nAnother'].map(delta),
      { type: 'thinking_delta', id: 'b', delta: 'why', agentId, seq: 2 },
      { type: 'thinking_delta', id: 'b', delta: ' not', agentId, seq: 3 },
      ...['Then ', 'this.'].map((words) => ({ ...delta(words), id: 'c' })),
    ]
    for (const [at, event] of events.entries()) {
      for (const store of [read, unread]) store.dispatch({ type: 'agent', event, at })
      expect(read.screen.now).toBe(at)
    }
    expect(unread.screen).toEqual(read.screen)
  })

  it('shows nothing until the terminal is ready, then everything at once', () => {
    let isReady = false
    const store = new Store(emptyScreen(), createHandClock(), () => isReady)
    const shown: number[] = []
    store.subscribe(() => shown.push(store.shown().screen.now))
    for (const now of [1, 2]) store.dispatch({ type: 'tick', now })
    expect(shown).toEqual([])
    isReady = true
    store.dispatch({ type: 'resized', size: { columns: 30, rows: 20 } })
    store.dispatch({ type: 'tick', now: 3 })
    expect(shown).toEqual([2, 3])
  })

  it('shows after half a second that a question can be answered', async () => {
    const clock = createHandClock()
    const store = new Store(emptyScreen(), clock)
    const marks: string[] = []
    store.subscribe(() => {
      marks.push(plain(drawLive(store.shown().screen)).find((row) => row.startsWith(' ❯')) ?? '')
    })
    const { interaction } = asks('npm test')
    clock.advance(1_000)
    store.dispatch({ type: 'asked', interaction })
    clock.advance(499)
    store.dispatch({ type: 'tick', now: clock.monotonic() })
    clock.advance(1)
    await expect.poll(() => marks).toEqual(['', '', ' ❯ y  yes, once'])
    expect([clock.slept, clock.sleeping]).toEqual([[500], 0])
  })

  it('keeps the order of final entries, whenever they are shown', () => {
    const clock = createHandClock()
    const store = new Store(emptyScreen(), clock)
    const transcript = follow(store)
    for (let i = 0; i < 50; i++) {
      store.dispatch({ type: 'agent', event: delta(`line ${i}\n\n`), at: i })
      if (i % 7 === 0) clock.advance(90)
    }
    store.close()
    const texts = transcript.map((entry) => (entry.type === 'block' ? entry.block.text : entry.type))
    expect(texts).toEqual(Array.from({ length: 50 }, (_, i) => `line ${i}`))
  })
})
