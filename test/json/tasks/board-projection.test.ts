import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { StoredEvent } from '../../../src/event-store.ts'
import { boardProjection } from '../../../src/json/tasks/board-projection.ts'
import { isJsonObject, parseJson } from '../../../src/json-value.ts'
import { TaskBoard } from '../../../src/tasks/board.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { legalEvents } from '../../support/tasks/legal-events.ts'
import { bareEvents, taskId } from '../../support/tasks/task-events.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../../support/thorough.ts'
import { openEvents, readEvents, signal } from './event-log.ts'

function fold(board: TaskBoard, events: readonly StoredEvent[]): TaskBoard {
  for (const event of events) board.apply(event)
  return board
}

describe('the saved board', () => {
  sizedIt('goes on as the whole one would, wherever it was saved', () => {
    fc.assert(
      fc.property(legalEvents, fc.nat(60), (events, at) => {
        const first = fold(new TaskBoard(), events.slice(0, at))
        const text = JSON.stringify(boardProjection.encode(first.all()))
        const state = boardProjection.decode(parseJson(text) ?? null)
        expect(state).toEqual(first.all())
        const later = fold(new TaskBoard({ cursorEventId: first.cursor, state: state ?? [] }), events)
        const whole = fold(new TaskBoard(), events)
        expect(later.all()).toEqual(whole.all())
        expect(later.cursor).toBe(whole.cursor)
      }),
      { numRuns: sized(200, 40) },
    )
  })

  it.each([
    ['of another version', (saved: object) => ({ ...saved, version: 0 })],
    ['without a version', () => ({ tasks: [] })],
    ['with a row of another shape', (saved: object) => ({ ...saved, tasks: [['x']] })],
    ['with a row that is none', (saved: object) => ({ ...saved, tasks: [{}] })],
    ['that is no object', () => [1]],
  ])('%s is not read', (_, change) => {
    const saved = boardProjection.encode([])
    expect(boardProjection.decode(saved)).toEqual([])
    expect(boardProjection.decode(change(isJsonObject(saved) ? saved : {}))).toBeUndefined()
  })
})

/** A log of two tasks whose board is saved after the first. Returns its folder. */
async function savedLog(): Promise<string> {
  const folder = await folderWith()
  const store = openEvents(folder)
  for (const event of bareEvents(taskId(1)).slice(0, 2)) await store.append(taskId(1), [event], { signal })
  const board = fold(new TaskBoard(), await readEvents(store))
  await store.saveProjection(boardProjection, { cursorEventId: 2, state: board.all() }, { signal })
  await store.append(taskId(2), bareEvents(taskId(2)).slice(0, 1), { signal })
  return folder
}

async function readSaved(folder: string, warnings: string[] = []) {
  const store = openEvents(folder, warnings)
  const saved = await store.getProjection(boardProjection, { signal })
  const board = new TaskBoard(saved)
  const later: number[] = []
  for await (const event of store.readAll({ signal, after: saved.cursorEventId })) {
    later.push(event.id)
    board.apply(event)
  }
  return { cursor: saved.cursorEventId, later, tasks: board.all() }
}

quickDescribe('a log with a saved board', () => {
  it('is read from there on', async () => {
    const folder = await savedLog()
    const whole = fold(new TaskBoard(), await readEvents(openEvents(folder)))
    expect(await readSaved(folder)).toEqual({ cursor: 2, later: [3], tasks: whole.all() })
    const path = join(folder, 'events.jsonl')
    await appendFile(path, 'no event\n')
    const warnings: string[] = []
    expect(await readSaved(folder, warnings)).toMatchObject({ cursor: 2, later: [3] })
    expect(warnings).toEqual([`line 5 of ${path} is not a readable event; it was skipped`])
  })

  it('that was replaced by another is read as a whole', async () => {
    const folder = await savedLog()
    const path = join(folder, 'events.jsonl')
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replaceAll('agent_pipe', 'agent_pope'))
    expect(await readSaved(folder)).toMatchObject({ cursor: 0, later: [1, 2, 3] })
    await writeFile(path, `${text.split('\n').slice(0, 2).join('\n')}\n`)
    expect(await readSaved(folder)).toMatchObject({ cursor: 0, later: [1], tasks: [{ seq: 1 }] })
  })
})
