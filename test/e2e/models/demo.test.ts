import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'

it('the demo states what is recorded, shows tests fail and then pass, and leaves nothing behind', async () => {
  const { pipe, home, temp, server } = await openWorld()
  const run = await pipe(['demo'])
  expectRun(run, { stdout: expect.stringContaining("The model's side of this conversation is recorded") })
  expect(run.stdout.match(/# fail \d+/g)).toEqual(['# fail 2', '# fail 0'])
  expect(run.stdout).toMatch(/^ {4}\+ .*match\(/m)
  expect(run.stdout).toContain(`The project is in ${temp}/`)
  expect(await readdir(temp)).toEqual([])
  expect(server.requests).toEqual([])
  expect(await readdir(home)).toEqual(['config.json'])
})
