import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith } from '../../support/folders/folder.ts'
import { bareEvents, taskId } from '../../support/tasks/task-events.ts'
import { openEvents, signal } from './event-log.ts'

it('a stream is read among batches of others, and without what a crash cut from one', async () => {
  const folder = await folderWith()
  const store = openEvents(folder)
  for (const number of [1, 2, 1, 2]) {
    const events = bareEvents(taskId(number)).slice(0, 2)
    await store.append(taskId(number), events, { signal })
  }
  const seqsOf = async (number: number) => {
    const seqs: number[] = []
    for await (const event of openEvents(folder).readStream(taskId(number), { signal })) seqs.push(event.seq)
    return seqs
  }
  expect([await seqsOf(1), await seqsOf(2), await seqsOf(3)]).toEqual([[1, 2, 3, 4], [1, 2, 3, 4], []])
  const path = join(folder, 'events.jsonl')
  const lines = (await readFile(path, 'utf8')).split('\n')
  await writeFile(path, `${lines.slice(0, 8).join('\n')}\n`)
  expect([await seqsOf(1), await seqsOf(2)]).toEqual([
    [1, 2, 3, 4],
    [1, 2],
  ])
})
