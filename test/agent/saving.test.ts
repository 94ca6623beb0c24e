import { expect, it } from 'vitest'
import type { TurnEvent } from '../../src/agent/agent.ts'
import { SavingWatch } from '../../src/agent/saving.ts'
import type { Turn } from '../../src/engine.ts'
import { PipeError } from '../../src/error.ts'
import { noUsage } from '../../src/usage.ts'

const full = new PipeError('invalid', 'cannot write s.json: the disk is full', {
  details: { reason: 'ENOSPC' },
})
const ended: Turn = { messages: [], usage: noUsage, rounds: 1, stopReason: 'end_turn' }

/** A turn with or without disk space after each of these steps. */
function play(rooms: readonly boolean[]) {
  let unsaved: PipeError | undefined
  const watch = new SavingWatch(() => unsaved)
  async function* turn(): AsyncGenerator<TurnEvent, Turn, undefined> {
    for (const [i, room] of rooms.entries()) {
      unsaved = room ? undefined : full
      yield { type: 'text_delta', id: 'b1', delta: String(i) }
    }
    return ended
  }
  return async () => {
    const seen: string[] = []
    const running = watch.watch(turn())
    for (;;) {
      const step = await running.next()
      if (step.done === true) return { seen, unsaved: step.value.unsaved }
      seen.push(step.value.type === 'text_delta' ? step.value.delta : step.value.type)
    }
  }
}

it('reports once that nothing is saved, and once that all is saved again', async () => {
  expect(await play([true, false, false, true, true])()).toEqual({
    seen: ['0', '1', 'unsaved', '2', '3', 'saved', '4'],
    unsaved: undefined,
  })
})

it('marks a turn that ended unsaved, and does not repeat it in the next', async () => {
  const again = play([true, false])
  expect(await again()).toEqual({ seen: ['0', '1', 'unsaved'], unsaved: full })
  expect(await again()).toEqual({ seen: ['0', 'saved', '1', 'unsaved'], unsaved: full })
})
