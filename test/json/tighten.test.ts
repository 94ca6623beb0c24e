import { chmod, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tighten } from '../../src/json/tighten.ts'
import { folderWith } from '../support/folder.ts'
import { text, user } from '../support/messages.ts'
import { append, load, openStore, save, signal } from './folder.ts'
import { sessionId } from './session-id.ts'

const modes = (...paths: readonly string[]) =>
  Promise.all(paths.map(async (path) => (await stat(path)).mode & 0o777))

it('restricts an open folder and file when writing, but not when reading', async () => {
  const folder = await folderWith()
  const path = await save(folder, [user(text('one'))])
  await chmod(folder, 0o777)
  await chmod(path, 0o666)
  await load(folder)
  expect(await modes(folder, path)).toStrictEqual([0o777, 0o666])
  await append(folder, user(text('two')))
  expect(await modes(folder, path)).toStrictEqual([0o700, 0o600])
})

it('restricts an open folder before a session begins in it', async () => {
  const folder = join(await folderWith(), 'sessions')
  await mkdir(folder)
  await chmod(folder, 0o777)
  const session = { id: sessionId(), systemPrompt: '', createdAt: '2026-02-18T12:00:00.000Z' }
  const log = await openStore(folder).create(session, { signal })
  await log.close()
  expect([log.warnings, await modes(folder)]).toStrictEqual([[], [0o700]])
})

it('does not warn about a missing path', async () => {
  expect(tighten(join(await folderWith(), 'nothing'), 0o600)).toStrictEqual([])
})

it.skipIf(process.platform !== 'linux')('warns about a path that it cannot restrict', () => {
  // A system file that no user may change.
  expect(tighten('/proc/self/status', 0o600)).toStrictEqual([
    '/proc/self/status is open to other users, who may read its contents; its permissions cannot be changed (EPERM)',
  ])
})
