import { expect, it } from 'vitest'
import { type CallFileUse, CallRecord } from '../../src/replay/call-record.ts'
import { text, toolResult } from '../support/messages/messages.ts'

function recorded(name: string, path: string, use: CallFileUse, turn = 0) {
  const id = `${name} ${path}`
  const call = { type: 'tool_call', id, name, arguments: { path, all: true } } as const
  return { call, result: toolResult(id, text(id)), turn, use }
}

/** Takes a call, counts it as made, and returns the id of the recorded one. */
function make(record: CallRecord, name: string, path: string): string | undefined {
  const found = record.take(name, { all: true, path })
  if (found !== undefined) record.made(found)
  return found?.call.id
}

it('gives each result once, to a call with the same arguments in any order', () => {
  const record = new CallRecord([recorded('read', 'a', 'reads'), recorded('Read', 'a', 'reads')])
  expect(['a', 'b', 'a', 'a'].map((path) => make(record, 'read', path))).toEqual([
    'read a',
    undefined,
    'Read a',
    undefined,
  ])
})

it('gives a result that depends on files only after the same changes', () => {
  const calls = [
    recorded('edit', 'a', 'changes'),
    recorded('read', 'a', 'reads'),
    recorded('edit', 'b', 'changes', 1),
    recorded('fetch', 'x', 'none'),
  ]
  const skipped = new CallRecord(calls)
  expect(make(skipped, 'read', 'a')).toBe(undefined)
  expect([skipped.nextChangeTurn, skipped.isComplete]).toEqual([0, false])
  const followed = new CallRecord(calls)
  expect(['edit a', 'read a', 'edit b'].map((id) => make(followed, ...split(id)))).toEqual([
    'edit a',
    'read a',
    'edit b',
  ])
  expect([followed.nextChangeTurn, followed.isComplete]).toEqual([Number.POSITIVE_INFINITY, true])
  const left = new CallRecord(calls)
  make(left, 'edit', 'a')
  left.diverge()
  expect([make(left, 'read', 'a'), make(left, 'fetch', 'x')]).toEqual([undefined, 'fetch x'])
  expect([left.nextChangeTurn, left.isComplete]).toEqual([1, false])
})

function split(id: string): [name: string, path: string] {
  const [name = '', path = ''] = id.split(' ')
  return [name, path]
}
