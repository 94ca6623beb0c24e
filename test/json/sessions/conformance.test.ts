import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeConformance } from '../../../src/conformance/suites.ts'
import { conforms } from '../../support/conforms.ts'
import { createMemoryStore } from '../../support/sessions/memory-store.ts'
import { openStore } from '../folder.ts'

conforms(
  'the store on disk',
  storeConformance(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pipe-json-'))
    return {
      store: openStore(join(folder, 'state', 'sessions')),
      close: () => rm(folder, { recursive: true }),
    }
  }),
)

conforms(
  'the store in memory',
  storeConformance(async () => ({ store: createMemoryStore() })),
)
