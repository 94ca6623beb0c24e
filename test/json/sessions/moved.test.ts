import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSessionId } from '../../../src/id.ts'
import { sessionSchema } from '../../../src/json/documents/schema.ts'
import { createSessionStore } from '../../../src/json/sessions/session-store.ts'
import { stillClock } from '../../support/clocks/still-clock.ts'
import { folderWith } from '../../support/folders/folder.ts'
import { text, timestamp, user } from '../../support/messages/messages.ts'

const { signal } = new AbortController()
const id = readSessionId('s1')

it('a session that has moved belongs to its new folder, and its file keeps the old one', async () => {
  const directory = await folderWith()
  const store = createSessionStore({ directory, clock: stillClock(), pid: 1, host: 'here' })
  const log = await store.create({ id, systemPrompt: '', createdAt: timestamp, cwd: '/a' }, { signal })
  await log.append(user(text('one')))
  await log.close()
  const again = await store.open(id, { signal })
  await again.log.update({ movedTo: '/b' })
  await again.log.append(user(text('two')), { title: 'Two' })
  await again.log.close()
  const { log: last, loaded } = await store.open(id, { signal })
  expect(loaded.session).toMatchObject({ cwd: '/b', movedTo: '/b', title: 'Two' })
  await last.append(user(text('three')))
  await last.close()
  const listed = async (cwd: string) => {
    const found: unknown[] = []
    for await (const one of store.list({ signal, cwd })) found.push([one.id, one.cwd])
    return found
  }
  expect([await listed('/b'), await listed('/a')]).toEqual([[[id, '/b']], []])
  const file: unknown = JSON.parse(await readFile(join(directory, `${id}.json`), 'utf8'))
  expect(sessionSchema.parse(file)).toMatchObject({ cwd: '/a', moved_to: '/b' })
})
