import { argv, stdout } from 'node:process'
import { openVectors } from './folder.ts'

// A process that stores vectors: `writer.js FOLDER NAME COUNT`. Stores two at a time, and removes one of every second pair. Prints the
// numbers of pairs that are on disk.

const [, , folder = '', name = '', count = '0'] = argv
const { signal } = new AbortController()
const store = openVectors(folder)

for (let i = 0; i < Number(count); i++) {
  const embedding = Float32Array.from([1, i, i % 7])
  const entries = ['a', 'b'].map((half) => ({ id: `${name}${i}${half}`, embedding, metadata: { name } }))
  await store.upsertAll(entries, { signal })
  if (i % 2 === 1) await store.remove([`${name}${i}a`], { signal })
  stdout.write(`${i}\n`)
}
