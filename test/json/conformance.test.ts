import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testSessionStore } from '../conformance/store.ts'
import { createMemoryStore } from '../support/memory-store.ts'
import { openStore } from './folder.ts'

testSessionStore('the store on disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pipe-json-'))
  return {
    store: openStore(join(folder, 'state', 'sessions')),
    close: () => rm(folder, { recursive: true }),
  }
})

testSessionStore('the store in memory', async () => {
  return { store: createMemoryStore(), close: async () => undefined }
})
