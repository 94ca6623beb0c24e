import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'

it('finds all turns of processes that write and tidy the index at once', async () => {
  const world = await openWorld()
  const { pipe, server, home } = world
  const long = 'lorem ipsum '.repeat(1_000)
  server.reply(...Array.from({ length: 24 }, () => say(long)))
  const prompts = Array.from({ length: 24 }, (_, i) => `number${i} wombat`)
  for (let i = 0; i < prompts.length; i += 4) {
    const runs = prompts.slice(i, i + 4).map((prompt) => pipe([prompt]))
    const searches = [pipe(['recall', 'wombat']), pipe(['recall', 'lorem', '--json'])]
    for (const run of await Promise.all([...runs, ...searches]))
      expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining('bug')])
  }
  const found = async (word: string) =>
    JSON.parse((await pipe(['recall', word, '--json', '-n', '100'])).stdout)
  expect((await found('wombat')).total).toBe(24)
  for (const number of [0, 7, 23]) expect((await found(`number${number}`)).total).toBeGreaterThan(0)
  expect((await readdir(join(home, 'recall'))).some((name) => name.endsWith('.segment'))).toBe(true)
  await rm(join(home, 'recall'), { recursive: true })
  expect((await found('wombat')).total).toBe(24)
})
