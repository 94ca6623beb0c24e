import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { WaitingMessage } from '../../src/history/message-queue.ts'
import { createQueueStore } from '../../src/json/queue-store.ts'
import { folderWith } from '../support/folders/folder.ts'
import { text, user } from '../support/messages/messages.ts'
import { sessionId } from './session-id.ts'

const id = sessionId()
const waiting: readonly WaitingMessage[] = [
  { message: user(text('now')), kind: 'steer' },
  { message: user(text('later')), kind: 'follow_up' },
]

describe('the messages that wait for a session', () => {
  it('are kept in a file of the user alone, which goes with the last of them', async () => {
    const folder = await folderWith()
    const store = createQueueStore(folder)
    expect(await store.read(id)).toEqual([])
    await store.write(id, waiting)
    expect(await createQueueStore(folder).read(id)).toEqual(waiting)
    expect((await stat(join(folder, `${id}.queue`))).mode & 0o777).toBe(0o600)
    await store.write(id, [])
    expect(await readdir(folder)).toEqual([])
  })

  it.each([
    ['is no JSON', '{'],
    ['is of a newer version', '{"version":2,"messages":[]}'],
    ['holds something else', '{"version":1,"messages":[{"kind":"steer","message":{"type":"assistant"}}]}'],
  ])('are left alone in a file that %s', async (_, content) => {
    const folder = await folderWith()
    await writeFile(join(folder, `${id}.queue`), content)
    await expect(createQueueStore(folder).read(id)).rejects.toMatchObject({ code: 'input' })
  })
})
