import { appendFile, chmod, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../../src/event-store.ts'
import type { TaskEvent } from '../../../src/task.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { fillDisk, mountSmallDisk } from '../../support/folders/mount.ts'
import { timestamp } from '../../support/messages/messages.ts'
import { bareEvents, fullEvents, stored, taskId } from '../../support/tasks/task-events.ts'
import { thrown } from '../../support/thrown.ts'
import { openEvents, readEvents, signal } from './event-log.ts'

const one = taskId(1)
const [created, started] = bareEvents(one)
const asideName = `events.torn-${timestamp.replaceAll(/[-:]/g, '')}`

async function write(directory: string, ...events: readonly (TaskEvent | undefined)[]): Promise<string> {
  const store = openEvents(directory)
  for (const event of events) if (event !== undefined) await store.append(one, [event], { signal })
  return join(directory, 'events.jsonl')
}

const idsOf = (events: readonly StoredEvent[]) => events.map(({ id }) => id)

it('every event is read as it was written, in the fields of the specification', async () => {
  for (const events of [fullEvents(), bareEvents()]) {
    const directory = await folderWith()
    const path = await write(directory, ...events)
    expect(await readEvents(openEvents(directory))).toEqual(stored(events))
    const [, ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n')
    const fields = lines.map((line) => Object.keys(JSON.parse(line)))
    expect(new Set(fields.map(String))).toEqual(new Set(['id,stream_id,seq,created_at,type,payload']))
  }
  expect(JSON.parse(await firstEvent())).toEqual({
    id: 1,
    stream_id: one,
    seq: 1,
    created_at: timestamp,
    type: 'task_created',
    payload: {
      task_id: one,
      author_actor_id: 'user_local',
      title: 'Löwe',
      intent: 'Löwe\n\nsee 🦁',
      priority: 'background',
      agent_id: 'agent_pipe',
      artifact_refs: [
        { kind: 'file_range', path: 'src/a.ts', line_start: 10, line_end: 40 },
        { kind: 'outline_anchor', section_id: 'plan.md#goals' },
        { kind: 'asset', asset_id: 'logo' },
        { kind: 'citation', cite_key: 'knuth84' },
      ],
      options: {
        repo: 'b'.repeat(40),
        base: 'a'.repeat(40),
        folder: '/home/ada/project',
        model: 'acme/large',
        mode: 'auto',
        limits: { max_rounds: 3, max_tokens: 1_000, max_cost_usd: 0.5, max_time_ms: 60_000 },
        after: taskId(8),
        parent_task_id: taskId(9),
        retry_of: taskId(7),
      },
    },
  })
})

async function firstEvent(): Promise<string> {
  const path = await write(await folderWith(), ...fullEvents().slice(0, 1))
  return (await readFile(path, 'utf8')).split('\n')[1] ?? ''
}

describe('a log that a crash has cut', () => {
  it.each([1, 20, 100])(
    'by %i bytes loses that event only, and the next append moves the rest away',
    async (cut) => {
      const directory = await folderWith()
      const path = await write(directory, created, started)
      const whole = await readFile(path)
      await truncate(path, whole.length - cut)
      expect(idsOf(await readEvents(openEvents(directory)))).toEqual([1])
      expect(await readdir(directory)).toEqual(['events.jsonl'])
      const warnings: string[] = []
      const store = openEvents(directory, warnings)
      const [again] = await store.append(one, started === undefined ? [] : [started], {
        expectedSeq: 1,
        signal,
      })
      expect([again?.id, again?.seq]).toEqual([2, 2])
      expect(await readFile(path)).toEqual(whole)
      expect(warnings).toEqual([
        `the end of ${path} was damaged by a crash; the damaged part was moved to ${asideName}`,
      ])
      const aside = await readFile(join(directory, asideName), 'utf8')
      expect(whole.toString()).toContain(aside)
      expect(aside.length).toBeGreaterThan(0)
    },
  )

  it('between two events of one append has neither', async () => {
    const directory = await folderWith()
    const path = await write(directory, created)
    const before = (await stat(path)).size
    const store = openEvents(directory)
    const both = bareEvents(taskId(2)).slice(0, 2)
    await store.append(taskId(2), both, { signal })
    const text = await readFile(path, 'utf8')
    await truncate(path, Buffer.byteLength(text.slice(0, text.indexOf('\n', before) + 1)))
    expect(idsOf(await readEvents(openEvents(directory)))).toEqual([1])
    expect(await store.append(taskId(2), both, { expectedSeq: 0, signal })).toHaveLength(2)
    expect(idsOf(await readEvents(openEvents(directory)))).toEqual([1, 2, 3])
  })
})

describe('a log with a damaged line', () => {
  it.each([
    ['no JSON', '{"id":2'],
    [
      'an unknown type',
      '{"id":2,"stream_id":"x","seq":1,"created_at":"now","type":"task_sold","payload":{}}',
    ],
    ['another id', ''],
  ])('keeps the ids of the others: %s', async (_, line) => {
    const directory = await folderWith()
    const path = await write(directory, created, started, started)
    const lines = (await readFile(path, 'utf8')).split('\n')
    lines[2] = line === '' ? (lines[3] ?? '') : line
    await writeFile(path, lines.join('\n'))
    const warnings: string[] = []
    const store = openEvents(directory, warnings)
    expect(idsOf(await readEvents(store))).toEqual([1, 3])
    expect(warnings).toEqual([`line 3 of ${path} is not a readable event; it was skipped`])
    const [next] = await store.append(one, started === undefined ? [] : [started], { expectedSeq: 3, signal })
    expect([next?.id, next?.seq]).toEqual([4, 4])
    expect(warnings).toHaveLength(1)
  })

  it('is refused by name if a newer version wrote it', async () => {
    const directory = await folderWith({ 'events.jsonl': '{"type":"tasks","version":2}\n' })
    const before = await readFile(join(directory, 'events.jsonl'), 'utf8')
    const refused = {
      code: 'input',
      message: expect.stringMatching(/has version 2, which needs a newer pipe$/),
    }
    for (const action of [
      () => openEvents(directory).ensureSchema({ signal }),
      () => readEvents(openEvents(directory)),
      () => write(directory, created),
    ])
      expect(await thrown(action)).toMatchObject(refused)
    expect(await readFile(join(directory, 'events.jsonl'), 'utf8')).toBe(before)
  })
})

it('a log that was removed begins anew', async () => {
  const directory = await folderWith()
  const store = openEvents(directory)
  const event = bareEvents(one).slice(0, 1)
  await store.append(one, event, { signal })
  await truncate(join(directory, 'events.jsonl'), 0)
  expect(idsOf(await store.append(one, event, { expectedSeq: 0, signal }))).toEqual([1])
})

it('a log that others may read is closed to them', async () => {
  const directory = join(await folderWith(), 'tasks')
  await mkdir(directory)
  const path = await write(directory, created)
  await chmod(directory, 0o755)
  await chmod(path, 0o644)
  await openEvents(directory).ensureSchema({ signal })
  const modes = await Promise.all([directory, path].map(async (one) => (await stat(one)).mode & 0o777))
  expect(modes).toEqual([0o700, 0o600])
})

it('a log on a full disk stays whole, and takes the event once there is space', async ({ skip }) => {
  const directory = await folderWith()
  mountSmallDisk(skip, directory, 64 * 1024)
  const path = await write(directory, created)
  const before = await readFile(path)
  const store = openEvents(directory)
  const long: TaskEvent = {
    type: 'task_canceled',
    payload: { taskId: one, authorActorId: 'user_local', reason: 'x'.repeat(100_000) },
  }
  const full = { code: 'invalid', details: { reason: 'ENOSPC' } }
  expect(await thrown(() => store.append(one, [long], { expectedSeq: 1, signal }))).toMatchObject(full)
  expect(await readFile(path)).toEqual(before)
  const free = fillDisk(directory)
  expect(await thrown(() => store.append(one, bareEvents().slice(1, 2), { signal }))).toMatchObject(full)
  expect(await readFile(path)).toEqual(before)
  free()
  expect(idsOf(await store.append(one, bareEvents().slice(1, 2), { expectedSeq: 1, signal }))).toEqual([2])
  expect((await readdir(directory)).toSorted()).toEqual(['events.jsonl'])
})

it('bytes after the last event that no line ends are not read', async () => {
  const directory = await folderWith()
  const path = await write(directory, created)
  await appendFile(path, '{"id":2')
  const warnings: string[] = []
  expect(idsOf(await readEvents(openEvents(directory, warnings)))).toEqual([1])
  expect(warnings).toEqual([])
})
