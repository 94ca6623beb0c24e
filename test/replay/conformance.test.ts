import { describe } from 'vitest'
import type { Clock } from '../../src/clock.ts'
import { providerConformance } from '../../src/conformance/suites.ts'
import type { Provider } from '../../src/provider.ts'
import { createReplayProvider } from '../../src/replay/provider.ts'
import { createRecorder } from '../../src/replay/recorder.ts'
import type { ScriptBlock } from '../../src/replay/script.ts'
import { deferred } from '../support/clocks/deferred.ts'
import { stillClock } from '../support/clocks/still-clock.ts'
import { conforms } from '../support/conforms.ts'
import { countingIds } from '../support/messages/ids.ts'

const never: ScriptBlock = { type: 'text', text: 'never said' }

/** A clock whose n-th sleep lasts until its signal fires. */
function clockStuckAt(n: number) {
  let sleeps = 0
  const released = deferred()
  const clock: Clock = {
    ...stillClock(),
    sleep: (_, signal) =>
      new Promise((resolve, reject) => {
        sleeps++
        if (sleeps < n) return resolve()
        signal.addEventListener('abort', () => {
          released.resolve()
          reject(signal.reason)
        })
      }),
  }
  return { clock, released, slept: () => sleeps > 0, isStuck: () => sleeps >= n }
}

describe.each([
  ['a script', (provider: Provider) => provider],
  ['a script that is being recorded', (provider: Provider) => createRecorder().record(provider)],
])('%s', (name, wrap) => {
  conforms(
    name,
    providerConformance(async ({ blocks, ending }) => {
      const hangs = ending === 'hang'
      // One sleep a delta: the third comes after `Half` and `a`.
      const { clock, released, slept, isStuck } = clockStuckAt(hangs ? 3 : Number.POSITIVE_INFINITY)
      const round = {
        blocks: hangs ? [...blocks, never] : blocks,
        paceMs: 10,
        failures:
          ending === 'fail' ? [{ code: 'overloaded' as const, message: 'too much to do', after: 2 }] : [],
      }
      return {
        provider: wrap(createReplayProvider({ script: { rounds: [round] }, newId: countingIds(), clock })),
        begun: () => (slept() ? 1 : 0),
        released: async () => {
          if (isStuck()) await released.promise
        },
      }
    }),
  )
})
