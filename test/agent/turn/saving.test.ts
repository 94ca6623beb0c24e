import { expect, it } from 'vitest'
import { PipeError } from '../../../src/error.ts'
import { savingNote } from '../../../src/frontend/words/saving-note.ts'
import type { SessionLog } from '../../../src/session.ts'
import type { Adapter } from '../../../src/stream.ts'
import { openAgent, play } from '../../support/conversations/agent.ts'
import { countingIds } from '../../support/messages/ids.ts'
import { adapted } from '../../support/models/choices.ts'
import { recordingAudit } from '../../support/sessions/recording-audit.ts'

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
  expect(await again()).toEqual({
    seen: ['0', '1', 'unsaved'],
    unsaved: { part: 'conversation', error: full },
  })
  expect(await again()).toEqual({
    seen: ['0', 'saved', '1', 'unsaved'],
    unsaved: { part: 'conversation', error: full },
  })
})

it('says that only the audit log is not saved, and tells it again only if the conversation is not either', async () => {
  let isLogFull = false
  const reply: Adapter = async function* () {
    yield { type: 'text_delta', id: 'b1', delta: '.' }
    isLogFull = true
    yield { type: 'text_delta', id: 'b1', delta: '.' }
    return { stopReason: 'end_turn' }
  }
  const { audit } = recordingAudit()
  const log: SessionLog = {
    id: countingIds().session(),
    get unsaved() {
      return isLogFull ? full : undefined
    },
    append: async () => undefined,
    update: async () => undefined,
    sync: async () => undefined,
    close: async () => undefined,
  }
  const agent = openAgent({ log, audit: { ...audit, unsaved: full }, provider: adapted(reply, reply) })
  const first = await play(agent)
  const second = await play(agent)
  const told = [...first.events, ...second.events].flatMap((event) =>
    event.type === 'unsaved' || event.type === 'saved' ? [savingNote(event)] : [],
  )
  expect(told).toEqual([
    `the audit log is not saved: ${full.message}; the conversation is saved, but calls do not run until there is space`,
    `nothing more is saved: ${full.message}; the conversation continues in memory and is written when there is space again`,
  ])
  expect([first.turn.unsaved, second.turn.unsaved]).toEqual(
    Array(2).fill({ part: 'conversation', error: full }),
  )
})
