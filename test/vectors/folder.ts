import { hostname } from 'node:os'
import { join } from 'node:path'
import { systemIds } from '../../src/cli/host.ts'
import { systemClock } from '../../src/cli/system-clock.ts'
import type { VectorStore } from '../../src/memory/vector-store.ts'
import { createVectorStore } from '../../src/vectors/vector-store.ts'

/** Opens the store of a folder as a process does. */
export function openVectors(folder: string, model = 'it/small'): VectorStore {
  return createVectorStore({
    folder: join(folder, 'state', 'vectors'),
    model,
    newId: systemIds(),
    clock: systemClock,
    pid: process.pid,
    host: hostname(),
  })
}
