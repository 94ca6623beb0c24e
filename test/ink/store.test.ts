import { setImmediate } from 'node:timers/promises'
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
  it('shows streamed text at most every 80 ms, and keys when all pending work is done', async () => {
    const clock = createHandClock()
    const store = new Store(emptyScreen(), clock)
    const shown: string[] = []
    store.subscribe(() => {
      const { draft, prompt } = store.shown().screen
      shown.push(`${draft?.type === 'text' ? draft.blocks.partial : ''}|${prompt.text}`)
    })
    const stream = (words: string) =>
      store.dispatch({ type: 'agent', event: delta(words), at: clock.monotonic() })
    const write = (text: string) =>
      store.dispatch({ type: 'edited', prompt: { ...emptyScreen().prompt, text }, at: 0 })
    stream('a')
    expect(shown).toEqual([])
    await setImmediate()
    for (const words of ['b', 'c']) stream(words)
    await setImmediate()
    expect(shown).toEqual(['a|'])
    clock.advance(80)
    expect(shown).toEqual(['a|', 'abc|'])
    stream('d')
    for (const text of ['x', 'xy']) write(text)
    await setImmediate()
    expect(shown).toEqual(['a|', 'abc|', 'abcd|xy'])
    expect([clock.slept, clock.sleeping]).toEqual([[80, 80], 0])
  })

  it('shows at once on demand, and then nothing more', async () => {
    const clock = createHandClock()
    const store = new Store(emptyScreen(), clock)
    const shown: string[] = []
    store.subscribe(({ screen }) => shown.push(screen.prompt.text))
    store.dispatch({ type: 'edited', prompt: { ...emptyScreen().prompt, text: 'x' }, at: 0 })
    store.show()
    await setImmediate()
    expect(shown).toEqual(['x'])
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

  it('shows nothing until the terminal is ready, then everything at once', async () => {
    let isReady = false
    const store = new Store(emptyScreen(), createHandClock(), () => isReady)
    const shown: number[] = []
    store.subscribe(() => shown.push(store.shown().screen.now))
    store.dispatch({ type: 'tick', now: 1 })
    await setImmediate()
    expect(shown).toEqual([])
    isReady = true
    store.dispatch({ type: 'resized', size: { columns: 30, rows: 20 } })
    await setImmediate()
    expect(shown).toEqual([1])
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
    await setImmediate()
    clock.advance(499)
    store.dispatch({ type: 'tick', now: clock.monotonic() })
    await setImmediate()
    clock.advance(1)
    await setImmediate()
    expect(marks).toEqual(['', '', ' ❯ y  yes, once'])
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
