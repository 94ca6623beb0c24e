import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openChosenVectors } from '../../../../src/cli/wiring/memory/chosen-vector-store.ts'
import { quietHost } from '../../../support/conversations/host.ts'
import { folderWith } from '../../../support/folders/folder.ts'

const { signal } = new AbortController()
const wanted = { name: 'recall', model: 'it/small' }

it('keeps vectors in a folder of their kind, and removes it once a database keeps them', async () => {
  const home = await folderWith()
  const host = quietHost(home, { pid: process.pid, env: { PIPE_HOME: home } })
  const files = await openChosenVectors(host, {}, wanted)
  await files.upsert('a', Float32Array.from([1]), {}, { signal })
  await files.close()
  const journal = join(home, 'vectors', 'recall', 'journal.jsonl')
  expect(existsSync(journal)).toBe(true)
  const store = 'postgres://ada@127.0.0.1:1/work'
  await (await openChosenVectors(host, { memory: { store } }, wanted)).close()
  expect(existsSync(journal)).toBe(false)
})
