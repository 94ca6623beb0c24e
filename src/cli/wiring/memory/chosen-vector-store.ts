import { join } from 'node:path'
import { findDirectories } from '../../../config/directories.ts'
import type { Settings } from '../../../config/settings.ts'
import { removeTree } from '../../../files/writing/remove-tree.ts'
import type { VectorStore } from '../../../memory/vector-store.ts'
import type { Machine } from '../../machine.ts'
import { passwordFile } from '../tasks/task-store.ts'

export interface VectorsWanted {
  /** Names a kind of vectors, such as `recall`. Also their folder. */
  readonly name: string
  /** Names them among those of other machines in a database. Default: the name, so that machines share them. */
  readonly origin?: string
  /** The embedder's model, `provider/model`. */
  readonly model: string
}

/** Opens vectors where `memory.store` keeps them: in files, or in a database. The caller closes them. Throws `config`. */
export async function openChosenVectors(
  machine: Machine,
  { memory: { store = 'file' } = {} }: Settings,
  { name, origin = name, model }: VectorsWanted,
): Promise<VectorStore> {
  const { clock, newId, pid, hostname: host, env, home } = machine
  const folder = join(findDirectories(env, home).vectors, name)
  if (store === 'file') {
    const { createVectorStore } = await import('../../../vectors/vector-store.ts')
    return createVectorStore({ folder, model, newId, clock, pid, host })
  }
  // Files of an earlier setting would outlive what they stand for.
  await removeTree(folder)
  const database = await import('../../../postgres/vector-database.ts')
  return database.openVectorDatabase({
    url: store,
    passwordFile: passwordFile(machine),
    clock,
    newId,
    collection: origin,
    model,
  })
}
