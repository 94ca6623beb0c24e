import { expect, it } from 'vitest'
import { PipeError } from '../../src/error.ts'
import type { SessionLog } from '../../src/session.ts'
import type { Adapter } from '../../src/stream.ts'
import { openAgent, play } from '../support/agent.ts'
import { adapted } from '../support/choices.ts'
import { countingIds } from '../support/ids.ts'

const full = new PipeError('invalid', 'cannot write s.json: the disk is full', {
  details: { reason: 'ENOSPC' },
})

/** Plays turns with or without disk space after each delta of the reply. */
function turnsOn(rooms: readonly boolean[]) {
  let unsaved: PipeError | undefined
  const reply: Adapter = async function* () {
    for (const [i, room] of rooms.entries()) {
      unsaved = room ? undefined : full
      yield { type: 'text_delta', id: 'b1', delta: String(i) }
    }
    return { stopReason: 'end_turn' }
  }
  const log: SessionLog = {
    get unsaved() {
      return unsaved
    },
    id: countingIds().session(),
    append: async () => undefined,
    update: async () => undefined,
    sync: async () => undefined,
    close: async () => undefined,
  }
  const agent = openAgent({ log, provider: adapted(reply, reply) })
  return async () => {
    const { events, turn } = await play(agent)
    const seen = events.flatMap((event) => {
      if (event.type === 'text_delta') return [event.delta]
      return event.type === 'unsaved' || event.type === 'saved' ? [event.type] : []
    })
    return { seen, unsaved: turn.unsaved }
  }
}

it('reports once that nothing is saved, and once that all is saved again', async () => {
  expect(await turnsOn([true, false, false, true, true])()).toEqual({
    seen: ['0', '1', 'unsaved', '2', '3', 'saved', '4'],
    unsaved: undefined,
  })
})

it('marks a turn that ended unsaved, and does not repeat it in the next', async () => {
  const again = turnsOn([true, false])
  expect(await again()).toEqual({ seen: ['0', '1', 'unsaved'], unsaved: full })
  expect(await again()).toEqual({ seen: ['0', 'saved', '1', 'unsaved'], unsaved: full })
})
