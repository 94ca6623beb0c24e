import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FollowedTasks } from '../../../../src/cli/run/tasks/followed-tasks.ts'
import type { TaskEvent, TaskView } from '../../../../src/task.ts'
import { quietHost } from '../../../support/conversations/host.ts'
import { folderWith } from '../../../support/folders/folder.ts'
import { storeEvents } from '../../../support/tasks/stored-task.ts'
import { bareEvents, taskId } from '../../../support/tasks/task-events.ts'
import { thrown } from '../../../support/thrown.ts'

/** A home whose log of tasks holds these events. */
async function openHome(events: readonly TaskEvent[]) {
  const home = await folderWith()
  const host = quietHost(home, { env: { PIPE_HOME: home } })
  const folder = join(home, 'tasks')
  await storeEvents(home, events)
  const followed = new FollowedTasks(host, folder)
  return { followed, folder, append: (more: readonly TaskEvent[]) => storeEvents(home, more) }
}

function brief(tasks: readonly TaskView[] | undefined): readonly string[] | undefined {
  return tasks?.map(({ taskId: id, status }) => `${id === taskId(1) ? 'one' : 'two'} ${status}`)
}

const created = bareEvents().slice(0, 1)
const started = bareEvents().slice(1, 2)
const asked = bareEvents().slice(2, 3)
const createdToo = bareEvents(taskId(2)).slice(0, 1)

describe('the board of tasks, for one who follows it', () => {
  it('begins with all tasks, then names those that another process changes', async () => {
    const { followed, append } = await openHome([...created, ...createdToo])
    const stop = new AbortController()
    const following = followed.follow(stop.signal)
    const next = async () => brief((await following.next()).value)
    expect(await next()).toEqual(['one open', 'two open'])
    await append(started)
    expect(await next()).toEqual(['one in_progress'])
    await append(asked)
    expect(await next()).toEqual(['one awaiting_user'])
    stop.abort()
    expect(await next()).toBeUndefined()
  })

  it('is shared by all who follow it, whenever they come', async () => {
    const { followed, append } = await openHome(created)
    const stop = new AbortController()
    const first = followed.follow(stop.signal)
    expect(brief((await first.next()).value)).toEqual(['one open'])
    const second = followed.follow(stop.signal)
    expect(brief((await second.next()).value)).toEqual(['one open'])
    await append(createdToo)
    for (const one of [first, second]) expect(brief((await one.next()).value)).toEqual(['two open'])
    await first.return(undefined)
    await append(started)
    expect(brief((await second.next()).value)).toEqual(['one in_progress'])
    stop.abort()
    await second.next()
  })

  it('has every stored event for those who ask while it is followed, and is absent otherwise', async () => {
    const { followed, append } = await openHome(created)
    const { signal } = new AbortController()
    const read = async () => brief((await followed.board(signal))?.all())
    expect(await read()).toBeUndefined()
    const following = followed.follow(signal)
    await following.next()
    await append(started)
    expect(await read()).toEqual(['one in_progress'])
    expect(brief((await following.next()).value)).toEqual(['one in_progress'])
    await following.return(undefined)
    expect(await read()).toBeUndefined()
    const again = followed.follow(signal)
    expect(brief((await again.next()).value)).toEqual(['one in_progress'])
    await again.return(undefined)
  })
})

it('a log that cannot be read fails for all who follow it, and is read again for those who come later', async () => {
  const { followed, folder, append } = await openHome([])
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'events.jsonl'), '{"type":"tasks","version":2}\n')
  const { signal } = new AbortController()
  const following = [followed.follow(signal), followed.follow(signal)]
  const errors = await Promise.all(following.map((one) => thrown(() => one.next())))
  expect(errors).toMatchObject([{ code: 'input' }, { code: 'input' }])
  await writeFile(join(folder, 'events.jsonl'), '')
  await append(created)
  const later = followed.follow(signal)
  expect(brief((await later.next()).value)).toEqual(['one open'])
  await later.return(undefined)
})
