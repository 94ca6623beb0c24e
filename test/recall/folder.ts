import { readdir, readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { readSearchable } from '../../src/json/sessions/searchable.ts'
import { folderModified, sessionListing, statSession } from '../../src/json/sessions/session-files.ts'
import type { RecallQuery } from '../../src/memory/recall.ts'
import type { Embedder } from '../../src/memory/vector-store.ts'
import { omitUndefined } from '../../src/omit-undefined.ts'
import { createRecall } from '../../src/recall/open-recall.ts'
import { createRedactor } from '../../src/redaction/redaction.ts'
import { stillClock } from '../support/clocks/still-clock.ts'
import { folderWith } from '../support/folders/folder.ts'
import { openVectors } from '../vectors/folder.ts'

const { signal } = new AbortController()

/** Opens search over an empty folder of sessions; with an embedder, also by meaning. */
export async function openFolder(secrets: readonly string[] = [], openEmbedder?: () => Promise<Embedder>) {
  const folder = await folderWith()
  const [sessions, index] = [join(folder, 'sessions'), join(folder, 'recall')]
  const open = (tidies = false) =>
    createRecall({
      folder: index,
      list: async () => sessionListing(sessions),
      modified: () => folderModified(sessions),
      file: (id) => statSession(sessions, id),
      read: readSearchable,
      redact: createRedactor(secrets),
      clock: stillClock(),
      pid: process.pid,
      host: hostname(),
      tidies,
      ...omitUndefined({ openEmbedder }),
      openVectors: async (model) => openVectors(folder, model),
    })
  const recall = open()
  const search = async (words: string, query: Partial<RecallQuery> = {}) => {
    const result = await recall.search({ words, limit: 10, ...query }, { signal })
    await recall.close()
    return result
  }
  return {
    folder,
    sessions,
    index,
    open,
    recall,
    search,
    /** Returns the ids of the sessions found. */
    find: async (words: string, query: Partial<RecallQuery> = {}) =>
      (await search(words, query)).sessions.map(({ id }) => id),
    /** Returns the bytes of all files of the index as text. */
    indexText: async () => {
      const names = await readdir(index, { recursive: true, withFileTypes: true })
      const files = names.filter((one) => one.isFile())
      return (await Promise.all(files.map(({ name }) => readFile(join(index, name), 'utf8')))).join('\n')
    },
  }
}
