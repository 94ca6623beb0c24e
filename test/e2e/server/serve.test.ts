import { existsSync } from 'node:fs'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveWorld } from '../../support/live/served.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { rawRequest } from '../../support/servers/raw-request.ts'

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8)
}

describe('pipe serve', () => {
  it('answers as it describes itself, and is healthy', async () => {
    const { call, url } = await serveWorld(await openWorld())
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await call('GET', '/health')).json).toEqual({ status: 'healthy', timestamp: expect.any(String) })
  })

  it('prints its address with the token once, and ends in order on SIGTERM', async () => {
    const world = await openWorld()
    const program = world.start(['serve'])
    await program.until(/\n/)
    program.kill('SIGTERM')
    const run = await program.ended
    expectRun(run, {
      code: 143,
      stdout: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}\n$/),
      stderr: `pipe: serving ${world.cwd}; Ctrl+C stops it\n`,
    })
    expect(await modeOf(join(world.home, 'serve.json'))).toBe('600')
  })

  it('serves folders relative to the one of -C, each by its own name', async () => {
    const world = await openWorld()
    for (const name of ['a/work', 'b/work']) await mkdir(join(world.cwd, name), { recursive: true })
    const { call } = await serveWorld(world, ['-C', 'a', 'work', '../b/work', 'work'])
    expect((await call('GET', '/v1/projects')).json).toEqual({
      projects: [
        { name: 'work', cwd: join(world.cwd, 'a/work') },
        { name: 'work-2', cwd: join(world.cwd, 'b/work') },
      ],
    })
  })

  it('listens on a socket file of this user alone, and replaces that of a server that was killed', async () => {
    const world = await openWorld()
    const path = join(world.cwd, 's.sock')
    const args = ['serve', '--json', '--listen', 'unix:s.sock']
    const first = world.start(args)
    await first.until(/\n/)
    const { url, token } = JSON.parse(first.stdout)
    expect([url, await modeOf(path)]).toEqual([`unix:${path}`, '600'])
    const headers = { authorization: `Bearer ${token}`, host: 'anything' }
    const asked = { path: '/v1/projects', headers, socketPath: path }
    expect((await rawRequest(url, asked)).status).toBe(200)
    expect((await rawRequest(url, { ...asked, headers: { host: 'anything' } })).status).toBe(401)
    expectRun(await world.pipe(args), {
      code: 42,
      stdout: '',
      stderr: complaint('another program is already listening on'),
    })
    first.kill('SIGKILL')
    await first.ended
    const second = world.start(args)
    await second.until(/\n/)
    expect((await rawRequest(url, asked)).status).toBe(200)
    second.kill('SIGTERM')
    await second.ended
    expect(existsSync(path)).toBe(false)
  })

  it('never replaces a file that is no socket', async () => {
    const world = await openWorld()
    await world.put('notes.txt', 'mine')
    expectRun(await world.pipe(['serve', '--listen', 'unix:notes.txt']), {
      code: 2,
      stdout: '',
      stderr: complaint('is not a socket'),
    })
    expect(await readFile(join(world.cwd, 'notes.txt'), 'utf8')).toBe('mine')
  })

  it('SERV-271: warns that TLS belongs in front where others on the network can listen', async () => {
    const world = await openWorld()
    const program = world.start(['serve', '--quiet', '--listen', '0.0.0.0:0'])
    await program.until(/^http:\/\/[\d.]+:\d+\/#token=/)
    await program.untilError(/TLS/)
  })

  it('says which folders are not trusted, and warns of faults in their settings', async () => {
    const world = await openWorld()
    await world.put('.pipe/config.json', '{"providers": {"x": {"base_url": "http://evil.example"}}}')
    const [untrusted, trusted] = [world.start(['serve']), world.start(['serve', '--trust'])]
    await untrusted.untilError(/ignored providers[\s\S]*is not trusted, so its own settings/)
    await trusted.untilError(/serving/)
    trusted.kill('SIGTERM')
    expect((await trusted.ended).stderr).not.toContain('is not trusted')
  })

  it('is alive but not ready without a model', async () => {
    const world = await openWorld()
    await world.configure({ local: false })
    const { call } = await serveWorld(world)
    expect((await call('GET', '/health/live')).status).toBe(200)
    expect((await call('GET', '/health/ready')).json).toMatchObject({ status: 'unhealthy' })
  })

  it('answers under the names and to the origins of the settings, which no project can set', async () => {
    const world = await openWorld()
    const settings = (serve: object) => ({ local: false, serve })
    await world.configure(settings({ hosts: ['pipe.example'], origins: ['https://app.example'] }))
    await world.put('.pipe/config.json', JSON.stringify(settings({ hosts: ['evil.example'] })))
    const { url } = await serveWorld(world, ['--trust'])
    const status = async (headers: Record<string, string>) => (await rawRequest(url, { headers })).status
    expect(await status({ host: 'pipe.example', origin: 'https://app.example' })).toBe(200)
    expect(await status({ host: 'evil.example' })).toBe(403)
    expect(await status({ host: 'pipe.example', origin: 'https://evil.example' })).toBe(403)
  })

  it('keeps as many event streams open as the settings say', async () => {
    const world = await openWorld()
    await world.configure({ local: false, serve: { watchers: 2 } })
    const { url, token } = await serveWorld(world)
    const watch = () => fetch(`${url}/v1/events`, { headers: { authorization: `Bearer ${token}` } })
    const open = [await watch(), await watch()]
    expect(open.map(({ status }) => status)).toEqual([200, 200])
    const refused = await watch()
    expect(refused.status).toBe(429)
    expect(await refused.text()).toContain('already 2 event streams')
    await Promise.all(open.map(({ body }) => body?.cancel()))
    await expect.poll(async () => (await watch()).status).toBe(200)
  })
})
