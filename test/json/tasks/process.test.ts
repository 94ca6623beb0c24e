import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { folderWith } from '../../support/folders/folder.ts'
import { bundledProgram, type RunningProgram } from '../../support/programs/bundled-program.ts'
import { bareEvents } from '../../support/tasks/task-events.ts'
import { quickIt as it, slowIt } from '../../support/thorough.ts'
import { openEvents, readEvents, signal } from './event-log.ts'

const start = bundledProgram(join(import.meta.dirname, 'appender.ts'))

/** Starts a process that appends. */
function startAppender(directory: string, count: number, { bytes = 0, before = '' } = {}) {
  return start(`"${directory}" ${count} ${bytes}`, before)
}

/** Reads the ids that a process prints, until it ends. Kills it after so many lines. */
async function idsOf({ child, lines }: RunningProgram, killAfter = Infinity) {
  const ids: number[] = []
  let count = 0
  for await (const line of lines) {
    ids.push(...line.split(' ').map(Number))
    if (++count === killAfter) child.kill('SIGKILL')
  }
  return ids
}

describe('several processes', () => {
  it('append to one log without a gap, and lose nothing', async () => {
    const directory = join(await folderWith(), 'tasks')
    const printed = await Promise.all([1, 2, 3, 4].map(() => idsOf(startAppender(directory, 25))))
    const events = await readEvents(openEvents(directory))
    expect(events.map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1))
    expect(printed.flat().toSorted((a, b) => a - b)).toEqual(events.map(({ id }) => id))
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 200 }, (_, i) => (i % 2) + 1))
  })

  slowIt('that are killed leave a log in which whole appends follow each other', async () => {
    const directory = join(await folderWith(), 'tasks')
    const acknowledged: number[] = []
    for (const enough of [7, 1, 12, 3])
      acknowledged.push(...(await idsOf(startAppender(directory, 1_000, { bytes: 3_000 }), enough)))
    const warnings: string[] = []
    const store = openEvents(directory, warnings)
    const [last] = await store.append(bareEvents()[0]?.payload.taskId ?? '', bareEvents().slice(0, 1), {
      signal,
    })
    const events = await readEvents(store)
    expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => i + 1))
    expect(last?.id).toBe(events.length)
    const known = new Set(events.map(({ id }) => id))
    expect(acknowledged.filter((id) => !known.has(id))).toEqual([])
    expect(events.slice(0, -1).map(({ seq }) => seq)).toEqual(events.slice(1).map((_, i) => (i % 2) + 1))
  })

  it('hide the log from other users under any umask', async () => {
    const directory = join(await folderWith(), 'state', 'tasks')
    await idsOf(startAppender(directory, 1, { before: 'umask 000;' }))
    const paths = [directory, join(directory, '..'), join(directory, 'events.jsonl')]
    const modes = await Promise.all(paths.map(async (path) => (await stat(path)).mode & 0o777))
    expect(modes).toEqual([0o700, 0o700, 0o600])
    expect(await readFile(join(directory, 'events.jsonl'), 'utf8')).toMatch(
      /^\{"type":"tasks","version":1\}\n/,
    )
  })
})
