import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveWorld } from '../../support/live/served.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8)
}

/** Reads the records of running servers, by file name. */
async function records({ home }: World): Promise<Readonly<Record<string, unknown>>> {
  const folder = join(home, 'servers')
  const names = existsSync(folder) ? await readdir(folder) : []
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, JSON.parse(await readFile(join(folder, name), 'utf8'))] as const),
    ),
  )
}

describe('pipe serve', () => {
  it('leaves a record while it runs, beside those of others, for this user alone', async () => {
    const world = await openWorld()
    const [one, other] = [await serveWorld(world), await serveWorld(world)]
    const record = ({ url, program }: typeof one) => ({
      version: 1,
      url,
      pid: program.pid,
      started_at: expect.stringMatching(/Z$/),
      projects: [world.cwd],
    })
    expect(await records(world)).toEqual({
      [`${one.program.pid}.json`]: record(one),
      [`${other.program.pid}.json`]: record(other),
    })
    expect(await modeOf(join(world.home, 'servers', `${one.program.pid}.json`))).toBe('600')
    expect(one.token).toBe(other.token)
    one.program.kill('SIGINT')
    expect((await one.program.ended).code).toBe(130)
    expect(Object.keys(await records(world))).toEqual([`${other.program.pid}.json`])
    other.program.kill('SIGKILL')
    await other.program.ended
    const third = await serveWorld(world)
    expect(Object.keys(await records(world))).toEqual([`${third.program.pid}.json`])
  })

  it('refuses a port that is taken, an address that is none, and a folder that is missing', async () => {
    const world = await openWorld()
    const { url } = await serveWorld(world)
    const { host } = new URL(url)
    expectRun(await world.pipe(['serve', '--listen', host]), {
      code: 42,
      stdout: '',
      stderr: complaint(`another program is already listening on ${host}`),
    })
    for (const address of ['nonsense', '1.2.3.4', ':99999', '203.0.113.7:0'])
      expect((await world.pipe(['serve', '--listen', address])).code).toBe(2)
    expectRun(await world.pipe(['serve', 'missing']), {
      code: 2,
      stdout: '',
      stderr: complaint('missing: there is no such folder'),
    })
  })
})
