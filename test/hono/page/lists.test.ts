import { describe, expect, it } from 'vitest'
import { listed, listedMore, noLists, openQuestions, reduceLists } from '../../../src/hono/page/lists.ts'
import type { JsonObject } from '../../../src/json-value.ts'

const session = (id: string, minute: number, more: JsonObject = {}): JsonObject => ({
  id,
  updated_at: `2026-02-18T12:${String(minute).padStart(2, '0')}:00Z`,
  ...more,
})
const task = (task_id: string, seq: number, more: JsonObject = {}): JsonObject => ({ task_id, seq, ...more })

const answers = {
  projects: { projects: [{ name: 'app', cwd: '/app' }] },
  sessions: { sessions: [session('b', 5), session('a', 1, { opening: 'Fix it' })], next: 'a' },
  tasks: { tasks: [task('t', 2)] },
}

describe('the lists', () => {
  it('hold what the server lists, the newest first', () => {
    const lists = listed(noLists, answers)
    expect(lists.sessions.map(({ id, title }) => [id, title])).toEqual([
      ['b', 'Untitled'],
      ['a', 'Fix it'],
    ])
    expect(lists).toMatchObject({ isLoaded: true, next: 'a', projects: [{ name: 'app', cwd: '/app' }] })
  })

  it('move a session that changed to the top, and add a new one', () => {
    const lines = [
      { type: 'session', session: session('a', 7, { is_running: true, questions: 2 }) },
      { type: 'session', session: session('c', 6) },
    ]
    const lists = lines.reduce(reduceLists, listed(noLists, answers))
    expect(lists.sessions.map(({ id }) => id)).toEqual(['a', 'c', 'b'])
    expect(openQuestions(lists)).toBe(2)
  })

  it('leave sessions of elves to their parent', () => {
    const line = { type: 'session', session: session('e', 9, { parent_session_id: 'a' }) }
    const lists = listed(noLists, answers)
    expect(reduceLists(lists, line).sessions).toEqual(lists.sessions)
  })

  it('go on with older sessions', () => {
    const lists = listedMore(listed(noLists, answers), { sessions: [session('z', 0)] })
    expect([lists.sessions.map(({ id }) => id), lists.next]).toEqual([['b', 'a', 'z'], ''])
  })

  it('keep the newer of two states of a task', () => {
    const lists = listed(noLists, answers)
    const asks = reduceLists(lists, { type: 'task', task: task('t', 4, { pending_interaction_id: 'ui_1' }) })
    expect(openQuestions(asks)).toBe(1)
    expect(reduceLists(asks, { type: 'task', task: task('t', 3) })).toEqual(asks)
  })
})
