import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vectorStoreConformance } from '../../src/conformance/vector-store.ts'
import { conforms } from '../support/conforms.ts'
import { openVectors } from './folder.ts'

conforms(
  'the vectors on disk',
  vectorStoreConformance(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pipe-vectors-'))
    const reopen = (model?: string) => openVectors(folder, model)
    return { store: reopen(), reopen, close: () => rm(folder, { recursive: true }) }
  }),
)
