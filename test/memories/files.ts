import { join } from 'node:path'
import { KeptMemories } from '../../src/memories/kept-memories.ts'
import { createRedactor } from '../../src/redaction/redaction.ts'
import { createHandClock } from '../support/clocks/hand-clock.ts'

/** Opens the memories in a folder: `project/MEMORY.md` and `user/MEMORY.md`. Their ids are 00000001 and so on. */
export function memoriesIn(folder: string, session?: string): KeptMemories {
  let last = 0
  return new KeptMemories({
    places: [
      { scope: 'project', path: join(folder, 'project/MEMORY.md'), heading: 'Memories of here' },
      { scope: 'user', path: join(folder, 'user/MEMORY.md'), heading: 'Memories' },
    ],
    redact: createRedactor(['hunter2hunter2']),
    clock: createHandClock(),
    newId: () => {
      last += 1
      return String(last).padStart(8, '0')
    },
    holder: { pid: process.pid, host: 'here', clock: createHandClock() },
    ...(session === undefined ? {} : { session }),
  })
}

export const options = { signal: new AbortController().signal }
