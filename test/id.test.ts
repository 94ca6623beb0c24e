import { randomFillSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  agentOfSession,
  createNewId,
  formatUuid,
  isAgentId,
  isInteractionId,
  isMessageId,
  isSessionId,
  isTaskId,
  readAgentId,
  readInteractionId,
  readMessageId,
  readSessionId,
  readTaskId,
} from '../src/id.ts'
import { thrown } from './support/thrown.ts'

const random = (bytes: number) => randomFillSync(new Uint8Array(bytes))
const ids = (now = () => 1_771_416_000_000) => createNewId(random, now)
const uuid = (version: number) =>
  new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

describe('a generated id', () => {
  const newId = ids()

  it.each([
    ['a message', newId.message, uuid(4), isMessageId],
    ['an agent', newId.agent, uuid(4), isAgentId],
    ['a session', newId.session, uuid(7), isSessionId],
    ['an interaction', newId.interaction, /^ui_[A-Za-z0-9_-]{12}$/, isInteractionId],
    ['a task', newId.task, /^[A-Za-z0-9][A-Za-z0-9_-]{20}$/, isTaskId],
    ['a tool call', newId.toolCall, /^tool_[A-Za-z0-9_-]{12}$/, () => true],
  ] as const)('of %s has its format and is unique', (_, make, form, is) => {
    const made = Array.from({ length: 200 }, make)
    expect(made.filter((id) => !form.test(id) || !is(id))).toEqual([])
    expect(new Set(made).size).toBe(200)
  })

  it('of a session sorts by start time', () => {
    const times = [0, 1, 255, 256, 65_536, 2 ** 32, 1_771_416_000_000, 1_771_416_000_001, 2 ** 48 - 1]
    const made = times.map((time) => ids(() => time).session())
    expect(made.toSorted()).toEqual(made)
  })

  it('of a session holds its time in the first 48 bits', () => {
    const session = ids(() => 0x0190_1234_5678).session()
    expect(session.slice(0, 15)).toBe('01901234-5678-7')
  })
})

describe('a UUID', () => {
  it('is sixteen bytes with version and variant set', () => {
    const bytes = (value: number) => new Uint8Array(16).fill(value)
    expect(formatUuid(bytes(0xff), 4)).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
    expect(formatUuid(bytes(0), 4)).toBe('00000000-0000-4000-8000-000000000000')
    expect(
      formatUuid(
        Uint8Array.from({ length: 16 }, (_, i) => i),
        7,
      ),
    ).toBe('00010203-0405-7607-8809-0a0b0c0d0e0f')
  })
})

describe('an id from outside', () => {
  it.each(['123e4567-e89b-12d3-a456-426614174000', '01901234-5678-7abc-8def-0123456789ab'])(
    'of a message is any UUID: %s',
    (id) => {
      expect([isMessageId(id), isAgentId(id)]).toEqual([true, true])
    },
  )

  it.each(['', 'message-1', '123e4567e89b12d3a456426614174000', ' 123e4567-e89b-12d3-a456-426614174000'])(
    'of a message is no other text: %j',
    (id) => {
      expect([isMessageId(id), isAgentId(id)]).toEqual([false, false])
    },
  )

  it.each([
    ['a message id', readMessageId, '123e4567-e89b-12d3-a456-426614174000'],
    ['an agent id', readAgentId, '123e4567-e89b-12d3-a456-426614174000'],
    ['a session id', readSessionId, 'work'],
    ['an interaction id', readInteractionId, 'ui_abcdefghijkl'],
    ['a task id', readTaskId, 'V1StGXR8_Z5jdHi6B-myT'],
  ] as const)('is read as %s, or refused', async (name, read, id) => {
    expect(read(id)).toBe(id)
    expect(await thrown(() => read('a/b'))).toMatchObject({ code: 'input', message: `not ${name}: "a/b"` })
  })

  it('of an agent is that of its session, or follows from the name of one', () => {
    const own = ids().session()
    const named = (name: string) => agentOfSession(readSessionId(name))
    expect([agentOfSession(own), named('work')]).toEqual([own, named('work')])
    const all = ['work', 'wrok', 'a', 'b', 'a'.repeat(64), 'a'.repeat(63)].map(named)
    expect([new Set(all).size, all.filter((id) => !uuid(8).test(id))]).toEqual([6, []])
  })

  it.each(['session-id', 'a', '-x', '_x', 'a.b', 'a'.repeat(64)])(
    'of a session is safe as a file name: %s',
    (id) => {
      expect(isSessionId(id)).toBe(true)
    },
  )

  it.each(['', '.', '..', '.hidden', 'a/b', '../a', 'a b', 'a\n', 'a\0', 'é', 'a'.repeat(65)])(
    'of a session is rejected if it is unsafe as a file name: %j',
    (id) => {
      expect(isSessionId(id)).toBe(false)
    },
  )

  it.each(['ui_', 'ui_abc', 'ui_abcdefghijkl\n', 'xx_abcdefghijkl', 'ui_abcdefghijklm'])(
    'of an interaction is rejected in any other format: %j',
    (id) => {
      expect(isInteractionId(id)).toBe(false)
    },
  )
})
