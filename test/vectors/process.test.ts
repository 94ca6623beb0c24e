import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { folderWith } from '../support/folders/folder.ts'
import { bundledProgram } from '../support/programs/bundled-program.ts'
import { quickIt as it, slowIt } from '../support/thorough.ts'
import { openVectors } from './folder.ts'

const { signal } = new AbortController()
const start = bundledProgram(join(import.meta.dirname, 'writer.ts'))

/** Runs a process that stores pairs of vectors, and kills it after so many. Returns how many it has acknowledged. */
async function write(
  folder: string,
  name: string,
  { count = 1_000, enough = Number.POSITIVE_INFINITY, before = '' } = {},
): Promise<number> {
  const { child, lines } = start(`"${folder}" ${name} ${count}`, before)
  let acknowledged = 0
  for await (const _ of lines) if (++acknowledged === enough) child.kill('SIGKILL')
  return acknowledged
}

async function idsOf(folder: string, name: string): Promise<ReadonlySet<string>> {
  const options = { signal, filter: { name } }
  return new Set(await openVectors(folder).search(Float32Array.from([1, 0, 0]), 10_000, options))
}

function expected(name: string, count: number): readonly string[] {
  const pairs = Array.from({ length: count }, (_, i) => i)
  return pairs.flatMap((i) => (i % 2 === 1 ? [`${name}${i}b`] : [`${name}${i}a`, `${name}${i}b`]))
}

describe('several processes', () => {
  it('store into one folder, and lose nothing', async () => {
    const folder = await folderWith()
    await Promise.all(['x', 'y', 'z'].map((name) => write(folder, name, { count: 20 })))
    for (const name of ['x', 'y', 'z']) expect(await idsOf(folder, name)).toEqual(new Set(expected(name, 20)))
  })

  slowIt('that are killed keep what they acknowledged, and never half of a batch', async () => {
    const folder = await folderWith()
    for (const [name, enough] of [
      ['a', 7],
      ['b', 1],
      ['c', 12],
      ['d', 4],
    ] as const) {
      const count = await write(folder, name, { enough })
      const found = await idsOf(folder, name)
      expect(expected(name, count).filter((id) => !found.has(id))).toEqual([])
      const halves = [...found].filter((id) => id.endsWith('a') && !found.has(`${id.slice(0, -1)}b`))
      expect(halves).toEqual([])
    }
    await openVectors(folder).upsert('last', Float32Array.from([1, 0, 0]), { name: 'e' }, { signal })
    expect(await idsOf(folder, 'e')).toEqual(new Set(['last']))
    expect((await idsOf(folder, 'a')).size).toBeGreaterThanOrEqual(11)
  })

  it('hide the vectors from other users under any umask', async () => {
    const folder = await folderWith()
    await write(folder, 'x', { count: 1, before: 'umask 000;' })
    const state = join(folder, 'state', 'vectors')
    const paths = [state, ...(await readdir(state)).map((name) => join(state, name))]
    const modes = await Promise.all(paths.map(async (path) => (await stat(path)).mode & 0o777))
    expect(modes).toEqual([0o700, 0o600, 0o600])
  })
})
