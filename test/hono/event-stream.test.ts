// biome-ignore lint/style/noRestrictedImports: only counts the listeners of a signal.
import { getEventListeners } from 'node:events'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { eventStream, formatEvent, type SentEvent } from '../../src/hono/event-stream.ts'
import { createHandClock } from '../support/clocks/hand-clock.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../support/thorough.ts'

/** Parses a text as a browser does. */
function parse(text: string): readonly EventSourceMessage[] {
  const events: EventSourceMessage[] = []
  createParser({ onEvent: (event) => void events.push(event) }).feed(text)
  return events
}

/** Text with what might begin an event of its own. */
const text = fc.string({
  unit: fc.constantFrom(
    '\r',
    '\n',
    '\u2028',
    '\u2029',
    '\u0085',
    ':',
    ' ',
    'data: x',
    'id: 9',
    'event: e',
    'retry: 1',
    'é',
    '\0',
  ),
})

describe('a formatted event', () => {
  sizedIt('is read as one event with the same text, whatever it holds', () => {
    fc.assert(
      fc.property(text, text, text, (id, event, data) => {
        const [only, ...more] = parse(formatEvent({ id: `1${id}`, event: `e${event}`, data }))
        expect(more).toEqual([])
        expect(only?.data).toBe(data.replace(/\r\n|\r/g, '\n'))
        expect(only?.id?.startsWith('1')).toBe(true)
        expect(only?.event?.startsWith('e')).toBe(true)
      }),
      { numRuns: sized(2_000, 400) },
    )
  })
})

type Pulled = IteratorResult<SentEvent, undefined>

/** Events that a test sends one by one, and what became of them. */
function controlled() {
  const sent: (() => Pulled)[] = []
  const waiting: (() => void)[] = []
  let [pulled, returned] = [0, 0]
  const put = (act: () => Pulled) => {
    sent.push(act)
    waiting.shift()?.()
  }
  const events: AsyncIterator<SentEvent, undefined> = {
    next: async () => {
      pulled++
      if (sent.length === 0) await new Promise<void>((resolve) => waiting.push(resolve))
      return sent.shift()?.() ?? { done: true, value: undefined }
    },
    return: async () => {
      returned++
      return { done: true, value: undefined }
    },
  }
  return {
    events,
    pulled: () => pulled,
    returned: () => returned,
    send: (data: string) => put(() => ({ done: false, value: { data } })),
    end: () => put(() => ({ done: true, value: undefined })),
    fail: (error: Error) =>
      put(() => {
        throw error
      }),
  }
}

/** A clock that counts its beats. */
function countingClock() {
  const clock = createHandClock()
  let beats = 0
  const every = (ms: number, act: () => void) => {
    beats++
    const stop = clock.every(ms, act)
    return () => {
      beats--
      stop()
    }
  }
  return { clock: { ...clock, every }, beats: () => beats, advance: clock.advance }
}

function open() {
  const source = controlled()
  const time = countingClock()
  const leaving = new AbortController()
  const { body } = eventStream(source.events, { clock: time.clock, signal: leaving.signal })
  if (body === null) throw new Error('there is no body')
  const reader = body.getReader()
  const read = async () => {
    const { done, value } = await reader.read()
    return done ? undefined : new TextDecoder().decode(value)
  }
  const left = () => [source.returned(), time.beats(), getEventListeners(leaving.signal, 'abort').length]
  return { ...source, ...time, leaving, reader, read, left }
}

quickDescribe('an event stream', () => {
  it('pulls an event only when the one before was taken', async () => {
    const { read, send, pulled } = open()
    for (const data of ['1', '2', '3', '4']) send(data)
    expect(await read()).toBe('data: 1\n\n')
    await new Promise(setImmediate)
    // One was taken, and one waits.
    expect(pulled()).toBe(2)
    expect(await read()).toBe('data: 2\n\n')
  })

  it('sends a comment every 15 s while no event comes, and none that piles up', async () => {
    const { read, send, advance } = open()
    advance(14_999)
    const first = read()
    advance(1)
    expect(await first).toBe(': ping\n\n')
    advance(60_000)
    expect(await read()).toBe(': ping\n\n')
    send('1')
    expect(await read()).toBe('data: 1\n\n')
  })

  it('ends with its events, and lets go of everything', async () => {
    const { read, send, end, left } = open()
    send('1')
    await read()
    const last = read()
    end()
    expect(await last).toBeUndefined()
    expect(left()).toEqual([1, 0, 0])
  })

  it('fails with its events, so that nobody takes it for the end, and lets go of everything', async () => {
    const { read, fail, left } = open()
    const last = read()
    fail(new Error('the disk is gone'))
    await expect(last).rejects.toThrow('the disk is gone')
    expect(left()).toEqual([1, 0, 0])
  })

  it('lets go of everything when the client goes away while an event is awaited', async () => {
    const { reader, left, send } = open()
    await reader.cancel()
    expect(left()).toEqual([1, 0, 0])
    send('too late')
    await Promise.resolve()
    expect(left()).toEqual([1, 0, 0])
  })

  it('ends when its signal fires while an event is awaited', async () => {
    const { read, leaving, left } = open()
    const last = read()
    leaving.abort()
    expect(await last).toBeUndefined()
    expect(left()).toEqual([1, 0, 0])
  })

  it('survives a client that goes away while its signal fires', async () => {
    const { reader, read, leaving, left } = open()
    const last = read()
    leaving.abort()
    await reader.cancel()
    expect(await last).toBeUndefined()
    expect(left()).toEqual([1, 0, 0])
  })

  it('ends at once if its signal has fired already', async () => {
    const source = controlled()
    const time = countingClock()
    const { body } = eventStream(source.events, { clock: time.clock, signal: AbortSignal.abort() })
    expect(await body?.getReader().read()).toEqual({ done: true, value: undefined })
    expect([source.returned(), time.beats()]).toEqual([1, 0])
  })

  it('leaves nothing behind at a signal that outlives 10,000 of them', async () => {
    const time = countingClock()
    const { signal } = new AbortController()
    let returned = 0
    for (let i = 0; i < 10_000; i++) {
      const events: AsyncIterator<SentEvent, undefined> = {
        next: () => new Promise(() => undefined),
        return: async () => {
          returned++
          return { done: true, value: undefined }
        },
      }
      await eventStream(events, { clock: time.clock, signal }).body?.cancel()
    }
    expect([returned, time.beats(), getEventListeners(signal, 'abort').length]).toEqual([10_000, 0, 0])
  })
})
