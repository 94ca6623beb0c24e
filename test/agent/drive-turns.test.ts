import { describe, expect, it } from 'vitest'
import { driveTurns } from '../../src/agent/drive-turns.ts'
import type { ElfNews, ElvesAtWork } from '../../src/elf.ts'
import { PipeError } from '../../src/error.ts'
import { asElfReport } from '../../src/message.ts'
import { deferred } from '../support/clocks/deferred.ts'
import { openAgent, round, says } from '../support/conversations/agent.ts'
import { otherIds } from '../support/messages/ids.ts'
import { text, user } from '../support/messages/messages.ts'
import { thrown } from '../support/thrown.ts'

const hello = user(text('hello'))
const newId = otherIds()

/** Elves that give out this news, and then work on. */
function busyElves(news: readonly ElfNews[], isBusy: () => boolean): ElvesAtWork {
  const waiting = [...news]
  return {
    get isBusy() {
      return isBusy() || waiting.length > 0
    },
    next: async (signal) => waiting.shift() ?? untilAborted(signal),
    respond: () => undefined,
    stop: () => false,
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(new PipeError('aborted', 'interrupted'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
  })
}

describe('turns with elves in the background', () => {
  it('end as aborted with the reason of a signal that fires while an elf is at work', async () => {
    const { engine } = openAgent({ rounds: [round(says('Begun.'))] })
    const stop = new AbortController()
    const turn = driveTurns(engine, hello, {
      elves: busyElves([], () => true),
      signal: stop.signal,
      onEvent: (event) => {
        if (event.type === 'turn_end') setImmediate(() => stop.abort(new PipeError('budget', 'out of time')))
      },
    })
    expect(await turn).toMatchObject({ stopReason: 'aborted', error: { code: 'budget' } })
  })

  it('throw what a handler throws on an event of an elf, once the turn is over', async () => {
    const { engine } = openAgent({ rounds: [round(says('Begun.'))] })
    const event = { type: 'state', from: 'idle', to: 'thinking', seq: 1 } as const
    const elves = busyElves([{ type: 'event', event: { ...event, agentId: newId.agent() } }], () => true)
    const broken = new Error('the reader went away')
    const failing = () =>
      driveTurns(engine, hello, {
        elves,
        signal: new AbortController().signal,
        onEvent: () => undefined,
        onElfEvent: () => {
          throw broken
        },
      })
    expect(await thrown(failing)).toBe(broken)
  })

  it('go on with results until no elf is at work', async () => {
    const { engine } = openAgent({ rounds: [round(says('Begun.')), round(says('It is calm.'))] })
    const message = asElfReport(user(text('[The elf e1 has ended in the background.]')))
    const over = deferred()
    let isBusy = true
    const elves: ElvesAtWork = {
      ...busyElves([], () => isBusy),
      get isBusy() {
        return isBusy
      },
      next: async (signal) => {
        if (!isBusy) return untilAborted(signal)
        await over.promise
        isBusy = false
        return { type: 'report', message: { ...message, id: newId.message() } }
      },
    }
    const turn = await driveTurns(engine, hello, {
      elves,
      signal: new AbortController().signal,
      onEvent: (event) => {
        if (event.type === 'turn_end') setImmediate(over.resolve)
      },
    })
    expect(turn).toMatchObject({ stopReason: 'end_turn' })
    expect(engine.history).toHaveLength(4)
  })
})
