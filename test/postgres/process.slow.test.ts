import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeWithDatabase } from '../support/databases/postgres.ts'
import { openHere } from './open-here.ts'

const { signal } = new AbortController()

interface Place {
  readonly id: number
  readonly streamId: string
  readonly seq: number
}

/** Each append is two events of one stream. */
function expectWholeAppends(events: readonly Place[]): void {
  for (const [i, { streamId, seq }] of events.entries())
    expect([streamId, seq]).toEqual([events[i - (i % 2)]?.streamId, (i % 2) + 1])
}

describeWithDatabase('eight processes that append at once', (database) => {
  let built: string
  const children: ChildProcess[] = []

  beforeAll(async () => {
    // Below the packages, which the bundle still loads.
    built = await mkdtemp(join(import.meta.dirname, '../../node_modules/.pipe-postgres-'))
    await build({
      entryPoints: [join(import.meta.dirname, 'appender.ts')],
      outfile: join(built, 'appender.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      external: ['*.md'],
    })
  })
  afterAll(() => rm(built, { recursive: true }))
  beforeEach(() => database.clear())
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  /** Runs a process that appends, and returns the ids that it prints. Kills it after so many lines. */
  async function append(count: number, killAfter = Number.POSITIVE_INFINITY): Promise<readonly number[]> {
    const child = spawn(process.execPath, [join(built, 'appender.mjs'), database.url, String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    const ids: number[] = []
    let lines = 0
    for await (const line of createInterface({ input: child.stdout })) {
      ids.push(...line.split(' ').map(Number))
      if (++lines === killAfter) child.kill('SIGKILL')
    }
    return ids
  }

  async function stored() {
    const events: Place[] = []
    for await (const { id, streamId, seq } of openHere(database.url).events.readAll({ signal }))
      events.push({ id, streamId, seq })
    return events
  }

  const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
  const sorted = (ids: readonly number[]) => ids.toSorted((a, b) => a - b)

  it('leave no gap in ids or streams, and lose nothing', async () => {
    const printed = await Promise.all(upTo(8).map(() => append(100)))
    const events = await stored()
    expect(events.map(({ id }) => id)).toEqual(upTo(1_600))
    expect(sorted(printed.flat())).toEqual(upTo(1_600))
    expectWholeAppends(events)
  })

  it('leave no gap if they are killed, and none of what they reported is lost', async () => {
    const printed = await Promise.all(upTo(8).map((i) => append(100, 5 * i)))
    const events = await stored()
    expect(events.map(({ id }) => id)).toEqual(upTo(events.length))
    const known = new Set(events.map(({ id }) => id))
    expect(printed.flat().filter((id) => !known.has(id))).toEqual([])
    expectWholeAppends(events)
  })
})
