import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { load } from './module.js'
import { judge, median } from './process.js'

// Measures the store of vectors on disk with 100,000 vectors of 384 dimensions: storing them in batches, reading them, and searching once
// they are in memory: all of them, and half and a hundredth by a filter. Compares with a plain loop over the same numbers, which is the
// least that JavaScript can do, and with 10,000 vectors.

const [count, dimensions, batch, limit, runs] = [100_000, 384, 1_000, 20, 31]
const { createVectorStore } = await load('src/vectors/vector-store.ts')
const { signal } = new AbortController()
const clock = { now: Date.now, monotonic: () => performance.now(), sleep: wait, every: () => () => undefined }

function open(folder) {
  const newId = { message: () => crypto.randomUUID() }
  return createVectorStore({ folder, model: 'it/small', newId, clock, pid: process.pid, host: hostname() })
}

// Repeats from run to run, so that two runs do the same work.
let state = 1
function random() {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return state / 2 ** 32 - 0.5
}

const vector = () => Float32Array.from({ length: dimensions }, random)

async function fill(store, total) {
  for (let from = 0; from < total; from += batch) {
    const entries = Array.from({ length: batch }, (_, i) => {
      const number = from + i
      const metadata = { session: String(number % 100), half: String(number % 2) }
      return { id: crypto.randomUUID(), embedding: vector(), metadata }
    })
    await store.upsertAll(entries, { signal })
  }
}

async function milliseconds(work) {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

async function warm(store, filter) {
  const times = []
  const options = filter === undefined ? { signal } : { signal, filter }
  for (let i = 0; i < runs; i++) {
    const query = vector()
    times.push(await milliseconds(() => store.search(query, limit, options)))
  }
  return median(times)
}

function plainLoop() {
  const values = Float32Array.from({ length: count * dimensions }, random)
  const query = vector()
  let best = 0
  const times = []
  for (let run = 0; run < runs; run++) {
    const begin = performance.now()
    for (let row = 0; row < count; row++) {
      let sum = 0
      for (let i = 0, at = row * dimensions; i < dimensions; i++, at++) sum += values[at] * query[i]
      if (sum > best) best = sum
    }
    times.push(performance.now() - begin)
  }
  return median(times)
}

const folder = mkdtempSync(join(tmpdir(), 'pipe-bench-'))
try {
  const plain = plainLoop()
  const few = open(join(folder, 'few'))
  await fill(few, count / 10)
  const tenth = await warm(few)
  const written = open(join(folder, 'many'))
  const stored = await milliseconds(() => fill(written, count))
  const store = open(join(folder, 'many'))
  const first = await milliseconds(() => store.search(vector(), limit, { signal }))
  const all = await warm(store)
  const half = await warm(store, { half: '1' })
  const hundredth = await warm(store, { session: '7' })
  judge('vectors: a search of 100,000', all, 30, ' ms')
  judge('vectors: a search of half of them', half, 30, ' ms')
  judge('vectors: a search of a hundredth of them', hundredth, 30, ' ms')
  judge('vectors: a search of 100,000 / a plain loop', all / plain, 1, 'x')
  // Above ten, as the caches of a processor hold the fewer vectors.
  judge('vectors: a search of 100,000 / 10,000', all / tenth, 22, 'x')
  judge('vectors: the first search, which reads them', first, 1_000, ' ms')
  judge('vectors: storing 100,000', stored / 1_000, 30, ' s')
} finally {
  rmSync(folder, { recursive: true })
}
