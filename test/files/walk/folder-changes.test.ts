import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { systemClock } from '../../../src/cli/system-clock.ts'
import { FolderChanges } from '../../../src/files/walk/folder-changes.ts'
import { createHandClock } from '../../support/clocks/hand-clock.ts'
import { folderWith } from '../../support/folders/folder.ts'

it('a change in the folder is told once, also if it came before anybody asked', async () => {
  const folder = await folderWith()
  const changes = new FolderChanges(folder, systemClock)
  const { signal } = new AbortController()
  const first = changes.next(signal)
  await writeFile(join(folder, 'a'), '1')
  await first
  await writeFile(join(folder, 'b'), '2')
  await changes.next(signal)
  changes.close()
})

it('waiting ends with the signal', async () => {
  const changes = new FolderChanges(await folderWith(), systemClock)
  const stop = new AbortController()
  const waiting = changes.next(stop.signal)
  stop.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
  await expect(changes.next(stop.signal)).rejects.toMatchObject({ code: 'aborted' })
  changes.close()
})

it('a folder that cannot be watched is looked at from time to time, until it is closed', async () => {
  const clock = createHandClock()
  const changes = new FolderChanges('/nowhere/at/all', clock)
  const { signal } = new AbortController()
  const waiting = changes.next(signal)
  clock.advance(2_000)
  await waiting
  changes.close()
  const stop = new AbortController()
  const more = changes.next(stop.signal)
  clock.advance(10_000)
  stop.abort()
  await expect(more).rejects.toMatchObject({ code: 'aborted' })
})
