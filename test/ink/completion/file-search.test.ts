import { expect, it } from 'vitest'
import { sleepBy } from '../../../src/clock.ts'
import { FileSearch, sliceSize } from '../../../src/ink/completion/file-search.ts'
import { loadFuzzy } from '../../../src/ink/completion/fuzzy.ts'

const paths = Array.from({ length: 100_000 }, (_, i) => `src/part-${i % 97}/file-${i}.ts`)

/** A search that counts the paths that each slice measures, and gives way to a key before each. */
async function openSearch(onTurn: (turn: number) => void = () => undefined) {
  const find = await loadFuzzy()
  const slices: number[] = []
  const sleep = sleepBy((_, action) => {
    const turn = setImmediate(() => {
      onTurn(slices.push(0))
      action()
    })
    return () => clearImmediate(turn)
  })
  const search = new FileSearch({
    clock: { sleep, monotonic: () => 0 },
    find: (query, targets, limit) => {
      slices.push((slices.pop() ?? 0) + targets.length)
      return find(query, targets, limit)
    },
  })
  return { search, slices }
}

it.each(['f', 'file', 'part9', '.ts'])(
  'gives way to keys after each slice of 100,000 paths: %j',
  async (query) => {
    const { search, slices } = await openSearch()
    const found = await search.search(query, paths, new AbortController().signal)
    expect(found.length).toBeGreaterThan(0)
    expect(slices.length).toBe(Math.ceil(paths.length / sliceSize))
    expect(Math.max(...slices)).toBeLessThanOrEqual(sliceSize)
  },
)

it('gives way sooner where the work takes longer', async () => {
  const find = await loadFuzzy()
  let [now, turns] = [0, 0]
  const sleep = async () => void turns++
  const clock = { sleep, monotonic: () => (now += 2) }
  await new FileSearch({ clock, find }).search('file', paths.slice(0, 1_000), new AbortController().signal)
  expect(turns).toBeGreaterThan(1_000 / sliceSize)
})

it('finds the best one among all slices', async () => {
  const { search } = await openSearch()
  const found = await search.search('file-77777', paths, new AbortController().signal)
  expect(found[0]?.target).toBe('src/part-80/file-77777.ts')
})

it('stops at once when the next key makes it useless', async () => {
  const abort = new AbortController()
  const { search, slices } = await openSearch((turn) => {
    if (turn === 3) abort.abort()
  })
  await expect(search.search('file', paths, abort.signal)).rejects.toMatchObject({ code: 'aborted' })
  expect(slices.length).toBe(3)
})
