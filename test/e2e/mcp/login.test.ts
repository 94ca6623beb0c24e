import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { browse, type GuardedServer, openGuardedServer } from '../../support/mcp/guarded-server.ts'
import { say, use } from '../../support/models/replies.ts'
import { complaint, expectRun, type Running } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

const find = use(['find_tools', { query: 'work' }])
const work = use(['mcp__web__work', {}])
const needed = 'the MCP server web needs a sign-in: pipe mcp login web'

async function withServer(guarded: GuardedServer, more: object = {}): Promise<World> {
  const world = await openWorld()
  await world.configure({
    model: 'fake/model-1',
    providers: { fake: { base_url: world.server.baseUrl } },
    mcp_servers: { web: { url: guarded.url, ...more } },
  })
  return world
}

/** The address that the program prints. */
async function addressOf(running: Running): Promise<string> {
  await running.until(/http:\S+authorize\S+\n/)
  return /http:\S+/.exec(running.stdout)?.[0] ?? ''
}

/** Signs in as a user does, whose browser follows each redirect. */
async function login(world: World, name = 'web', stderr: unknown = ''): Promise<void> {
  const running = world.start(['mcp', 'login', name, '--no-browser'])
  const page = await fetch(await addressOf(running))
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('You can close this page')])
  const said = new RegExp(`^Sign in to ${name} here:\\n\\nhttp\\S+\\n\\nsigned in: ${name} at http:\\S+\\n$`)
  expectRun(await running.ended, { stdout: expect.stringMatching(said), stderr })
}

/** The file of an agent that sets up a server of its own. */
function agentFile(name: string, servers: object): string {
  return `---\nname: ${name}\ndescription: works\nmcpServers: ${JSON.stringify(servers)}\n---\nWork.\n`
}

describe('pipe mcp login', () => {
  it('signs in by the browser, for the runs that follow', async () => {
    const guarded = await openGuardedServer()
    const world = await withServer(guarded)
    world.server.reply(find, say('No tools.'))
    expectRun(await world.pipe(['--yolo', 'work']), { stdout: 'No tools.\n', stderr: complaint(needed) })
    expect((await world.pipe(['mcp'])).stdout).toContain(`${guarded.url} (sign in: pipe mcp login web)`)
    expectRun(await world.pipe(['mcp', 'test']), { stdout: `failed  ${needed}\n`, code: 54 })
    await login(world)
    expect((await world.pipe(['mcp'])).stdout).toContain(`${guarded.url} (signed in)`)
    expect((await world.pipe(['doctor'])).stdout).toMatch(/mcp +web: signed in/)
    expectRun(await world.pipe(['mcp', 'test']), { stdout: 'ok      web: 2 tools: work, write\n' })
    world.server.reply(find, work, say('Done.'))
    expectRun(await world.pipe(['--yolo', 'work']), { stdout: 'Done.\n' })
  })

  it('is said to have expired once its tokens have ended and nothing renews them', async () => {
    const guarded = await openGuardedServer()
    const world = await withServer(guarded)
    await login(world)
    const path = join(world.home, 'mcp-sign-ins.json')
    const document = JSON.parse(await readFile(path, 'utf8'))
    const one = document.servers[guarded.url]
    const { refresh: _, ...tokens } = one.tokens
    one.tokens = { ...tokens, expires_at: 1_000 }
    await writeFile(path, JSON.stringify(document))
    expect((await world.pipe(['mcp'])).stdout).toContain('(sign-in expired: pipe mcp login web)')
    expect(JSON.parse((await world.pipe(['mcp', 'show', 'web', '--json'])).stdout)).toMatchObject({
      sign_in: 'expired',
    })
    expect((await world.pipe(['doctor'])).stdout).toMatch(
      /web: its sign-in has expired[^✓]*pipe mcp login web/,
    )
  })

  it('keeps the tokens in a file for the user alone, away from commands and logs', async () => {
    const guarded = await openGuardedServer()
    const world = await withServer(guarded)
    await login(world)
    const path = join(world.home, 'mcp-sign-ins.json')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const { servers } = JSON.parse(await readFile(path, 'utf8'))
    expect(Object.keys(servers)).toEqual([guarded.url])
    const { issuer, tokens } = servers[guarded.url]
    expect(issuer).toBe(guarded.issuer)
    world.server.reply(
      use(['bash', { command: `env; echo ${tokens.access}` }], ['read', { path }]),
      say('Seen.'),
    )
    expectRun(await world.pipe(['--yolo', 'look']), { stdout: 'Seen.\n', stderr: expect.anything() })
    const log = await world.shell(`cat ${world.home}/audit/*`)
    expect(log.stdout).toContain('[redacted]')
    expect(log.stdout).not.toContain(tokens.access)
    expect(log.stdout).not.toContain(tokens.refresh)
  })

  it('is renewed once for all processes that find it worthless', async () => {
    const guarded = await openGuardedServer()
    const world = await withServer(guarded)
    await login(world)
    guarded.revoke('access')
    const runs = await Promise.all([1, 2].map(() => world.pipe(['mcp', 'test'])))
    for (const run of runs) expectRun(run, { stdout: 'ok      web: 2 tools: work, write\n' })
    expect(guarded.asked.filter((one) => one.includes('grant_type=refresh_token')).length).toBe(1)
  })

  it('opens the browser where there is a screen', async () => {
    const guarded = await openGuardedServer()
    const world = await withServer(guarded)
    await writeFile(
      join(world.cwd, '../bin/xdg-open'),
      `#!/bin/sh\nenv >${world.temp}/env\necho "$1" >${world.temp}/opened\n`,
    )
    await chmod(join(world.cwd, '../bin/xdg-open'), 0o755)
    const env = { DISPLAY: ':9', OPENAI_API_KEY: 'sk-secret' }
    const running = world.start(['mcp', 'login', 'web'], { env })
    const opened = await vi.waitFor(async () => {
      const text = await readFile(join(world.temp, 'opened'), 'utf8')
      if (!text.endsWith('\n')) throw new Error('not yet')
      return text.trim()
    }, 10_000)
    expect(opened).toBe(await addressOf(running))
    expect(await readFile(join(world.temp, 'env'), 'utf8')).not.toContain('sk-secret')
    await fetch(opened)
    expect((await running.ended).stderr).toContain('The page is opening in your browser.')
  })

  it('waits on while an answer belongs to another sign-in', async () => {
    const world = await withServer(await openGuardedServer())
    const running = world.start(['mcp', 'login', 'web', '--no-browser'])
    const end = new URL(await browse(await addressOf(running)))
    const foreign = new URL(end)
    foreign.searchParams.set('state', 'foreign')
    expect((await fetch(foreign)).status).toBe(400)
    await fetch(end)
    expectRun(await running.ended, {
      stdout: expect.stringMatching(/\nsigned in: web/),
      stderr: expect.stringContaining('pipe: an answer to another sign-in was ignored\n'),
    })
  })

  it('listens where the entry says', async () => {
    const port = 20_000 + (process.pid % 20_000)
    const world = await withServer(await openGuardedServer(), {
      oauth: { callback_port: port, client_id: 'mine' },
    })
    const running = world.start(['mcp', 'login', 'web', '--no-browser'])
    const { searchParams } = new URL(await addressOf(running))
    expect(searchParams.get('redirect_uri')).toBe(`http://localhost:${port}/callback`)
    expect(searchParams.get('client_id')).toBe('mine')
    await fetch((await browse(await addressOf(running))).replace('localhost', '127.0.0.1'))
    expect((await running.ended).code).toBe(0)
  })

  it('signs in to a server of a project only once it is trusted', async () => {
    const guarded = await openGuardedServer()
    const world = await withServer(guarded)
    await world.put('.mcp.json', JSON.stringify({ mcpServers: { theirs: { url: guarded.url } } }))
    expectRun(await world.pipe(['mcp', 'login', 'theirs']), {
      code: 55,
      stdout: '',
      stderr: complaint('theirs is not approved, so nothing is sent to it: run pipe trust'),
    })
    expect(guarded.presented).toEqual([])
  })

  it('signs in to the server of an agent, by its name or after the agent', async () => {
    const [guarded, other] = [await openGuardedServer(), await openGuardedServer()]
    const world = await withServer(guarded)
    await mkdir(join(world.home, 'agents'))
    const put = (name: string, servers: object) =>
      writeFile(join(world.home, 'agents', `${name}.md`), agentFile(name, servers))
    await put('a', { theirs: { url: other.url }, web: { url: other.url } })
    await login(world, 'theirs')
    expect((await world.pipe(['mcp'])).stdout).toMatch(/^theirs +the agent a +http\S+ \(signed in\)$/m)
    const shown = await world.pipe(['mcp', 'show', 'a/theirs', '--json'])
    expect(JSON.parse(shown.stdout)).toMatchObject({ name: 'theirs', agent: 'a', sign_in: 'done' })
    world.server.reply(use(['find_tools', { query: 'work' }]), use(['mcp__theirs__work', {}]), say('Done.'))
    expectRun(await world.pipe(['--yolo', '--agent', 'a', 'work']), { stdout: 'Done.\n' })
    expectRun(await world.pipe(['mcp', 'logout', 'a/theirs']), { stdout: 'signed out: a/theirs\n' })
    await login(world, 'web', complaint("this is not the server in the agent's own file: that one is a/web"))
    await put('b', { theirs: { url: guarded.url } })
    expectRun(await world.pipe(['mcp', 'login', 'theirs']), {
      code: 42,
      stdout: '',
      stderr: complaint('several agents have a server theirs; name one: a/theirs, b/theirs'),
    })
  })

  it("signs in to the server of a project's agent only once it is approved", async () => {
    const guarded = await openGuardedServer()
    const world = await withServer(await openGuardedServer())
    await world.put('.pipe/agents/a.md', agentFile('a', { theirs: { url: guarded.url } }))
    expect((await world.pipe(['mcp'])).stdout).toMatch(/^theirs +the agent a, not approved +http/m)
    expectRun(await world.pipe(['--trust', 'mcp', 'login', 'theirs']), {
      code: 55,
      stdout: '',
      stderr: complaint('theirs is not approved, so nothing is sent to it: run pipe trust'),
    })
    expect(guarded.presented).toEqual([])
    await world.pipe(['trust'])
    await login(world, 'theirs')
  })

  it('says why it is of no use', async () => {
    const guarded = await openGuardedServer()
    const world = await withServer(guarded, { headers: { Authorization: 'Bearer mine' } })
    expectRun(await world.pipe(['mcp', 'login', 'web']), {
      code: 42,
      stdout: '',
      stderr: complaint(/web has an Authorization header in \S+config.json, which says who you are/),
    })
    await world.pipe(['mcp', 'add', 'local', '--', 'run'])
    expectRun(await world.pipe(['mcp', 'login', 'local']), {
      code: 42,
      stdout: '',
      stderr: complaint('local runs on this machine: only servers with a URL have a sign-in'),
    })
  })

  it('ends with an interrupt', async () => {
    const world = await withServer(await openGuardedServer())
    const running = world.start(['mcp', 'login', 'web', '--no-browser'])
    await addressOf(running)
    process.kill(running.pid, 'SIGINT')
    expect((await running.ended).code).toBe(130)
  })
})

describe('pipe mcp logout', () => {
  it('revokes, forgets, and says when there is nothing to forget', async () => {
    const guarded = await openGuardedServer()
    const world = await withServer(guarded)
    await login(world)
    expectRun(await world.pipe(['mcp', 'logout', 'web']), { stdout: 'signed out: web\n' })
    expect(guarded.asked.at(-1)).toMatch(/^\/revoke token=refresh-/)
    expect(await readFile(join(world.home, 'mcp-sign-ins.json'), 'utf8')).not.toContain('refresh-')
    expectRun(await world.pipe(['mcp', 'logout', 'web']), {
      stdout: '',
      stderr: complaint('you are not signed in to web'),
    })
  })
})
