import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { serveWorld } from '../../support/live/served.ts'
import { watch } from '../../support/live/watching.ts'
import { say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { openPrompt } from '../../support/terminals/screen.ts'

const script = fileURLToPath(new URL('../../support/mcp/content-server.js', import.meta.url))

const calculator = fileURLToPath(new URL('../../support/mcp/real-server.js', import.meta.url))

async function openNotes(): Promise<World> {
  const world = await openWorld()
  await world.configure({
    model: 'fake/model-1',
    providers: { fake: { base_url: world.server.baseUrl } },
    mcp_servers: { notes: { command: process.execPath, args: [script] } },
  })
  return world
}

/** All texts of the last request's user message. */
function sent({ server }: World): string {
  return JSON.stringify(server.requests.at(-1)?.body.messages.at(-1))
}

describe('a message', () => {
  it('attaches the resource of a server that it mentions', async () => {
    const world = await openNotes()
    world.server.reply(say('Seen.'))
    expectRun(await world.pipe(['what is in @notes:notes://a, please?']), { stdout: 'Seen.\n' })
    expect(sent(world)).toMatch(/untrusted material.*Buy milk\./)
  })

  it('is not sent without a resource that cannot be read, which is named', async () => {
    const world = await openNotes()
    expectRun(await world.pipe(['read @notes:notes://none']), {
      code: 54,
      stdout: '',
      stderr: complaint(/cannot attach @notes:notes:\/\/none: the MCP server notes failed: .*there is no/),
    })
    expect(world.server.requests).toEqual([])
  })

  it('calls a prompt of a server, which attaches no file by itself', async () => {
    const world = await openNotes()
    for (const name of ['notes:review', 'mcp__notes__review', 'notes:review']) {
      world.server.reply(say('Reviewed.'))
      expectRun(await world.pipe([`/${name} main`]), { stdout: 'Reviewed.\n' })
      expect(sent(world)).toMatch(/is their request.*Review .*main.* @\/etc\/hostname/)
      expect(sent(world)).not.toContain('<file path')
    }
    expectRun(await world.pipe(['/notes:review']), {
      code: 42,
      stdout: '',
      stderr: complaint(/notes__review needs branch: write \/mcp__notes__review branch \[focus\]/),
    })
  })

  it('of a command of the project attaches no resource', async () => {
    const world = await openNotes()
    await world.put('.pipe/commands/leak.md', 'Look at @notes:notes://a\n')
    world.server.reply(say('Seen.'))
    expectRun(await world.pipe(['--trust', '/leak']), { stdout: 'Seen.\n' })
    expect(sent(world)).toContain('Look at notes:notes://a')
    expect(sent(world)).not.toContain('Buy milk')
  })
})

describe('in the terminal', () => {
  const size = { columns: 100, rows: 30 }

  it('resources are found once the name of a server and a colon are written, templates with the help of the server', async () => {
    const world = await openNotes()
    world.server.reply(say('Seen.'))
    const screen = await openPrompt(world, size)
    screen.type('read @notes:')
    await screen.until(/^❯ notes:notes:\/\/a +Shopping list: What to buy$/m)
    screen.type('repo://an')
    await screen.until(/^ +notes:repo:\/\/anton +Repository$/m)
    screen.type('\u0017@notes:notes://a')
    await screen.until(/^❯ notes:notes:\/\/a /m)
    screen.type('\t')
    await screen.until(/^› read @notes:notes:\/\/a$/m)
    screen.type('\r')
    await screen.until(/attached notes:notes:\/\/a\n\n {2}Seen\./)
    expect(sent(world)).toContain('Buy milk.')
  })

  it('a message whose resource cannot be read stays in the prompt', async () => {
    const world = await openNotes()
    const screen = await openPrompt(world, size)
    screen.type('read @notes:notes://none now\r')
    await screen.until(/cannot attach @notes:notes:\/\/none: the MCP server notes failed/)
    await screen.until(/^› read @notes:notes:\/\/none now$/m)
    expect(world.server.requests).toEqual([])
  })

  it('a prompt of a server that has not been started is called all the same, and listed from then on', async () => {
    const world = await openNotes()
    world.server.reply(say('Reviewed.'))
    const screen = await openPrompt(world, size)
    screen.type('/notes:review main\r')
    await screen.until(/attached prompt \S*review\n\n {2}Reviewed\./)
    screen.type('/mcp__notes')
    await screen.until(/^. \/mcp__notes__review +Reviews a branch \(of the MCP server notes\)$/m)
    screen.type('\u0015/mcp notes\r')
    await screen.until(
      /notes: 0 tools\s+prompts: \/notes:review, \/notes:mixed\s+resources: @notes: lists them/,
    )
  })

  it('the words of a prompt are completed by its server', async () => {
    const world = await openNotes()
    world.server.reply(say('Reviewed.'))
    const screen = await openPrompt(world, size)
    // Its prompts are known once it has run.
    screen.type('/mcp notes\r')
    await screen.until(/prompts: \/notes:review/)
    screen.type('/notes:review m')
    await screen.until(/^❯ main$/m)
    await screen.until(/^ {2}my branch$/m)
    screen.type('y')
    await screen.until(/^❯ my branch$/m)
    screen.type('\t')
    await screen.until(/^› \/notes:review "my branch"$/m)
    await screen.until(/^❯ speed-of-my branch$/m)
    screen.type('\r')
    await screen.until(/Reviewed\./)
    expect(sent(world)).toContain('my branch')
  })
})

describe('over a server', () => {
  it('a message attaches the resource that it mentions, and a prompt of a server is called', async () => {
    const world = await openNotes()
    world.server.reply(say('Seen.'), say('Reviewed.'))
    const served = await serveWorld(world, [])
    const { json } = await served.call('POST', '/v1/sessions', {})
    const { id } = json as { readonly id: string }
    const watching = await watch(served, `/v1/sessions/${id}/events`)
    const path = `/v1/sessions/${id}/messages`
    expect((await served.call('POST', path, { text: 'read @notes:notes://a' })).status).toBe(201)
    await watching.untilType('turn_end')
    expect(sent(world)).toMatch(/untrusted material.*Buy milk\./)
    await served.call('POST', path, { text: '/notes:review main' })
    await expect.poll(() => world.server.requests.length).toBe(2)
    expect(sent(world)).toMatch(/is their request.*Review .*main/)
    const missing = await served.call('POST', path, { text: 'read @notes:notes://none' })
    expect(missing.json).toMatchObject({
      code: 'TOOL',
      message: expect.stringContaining('cannot attach @notes:notes://none'),
    })
  })
})

describe('what a server says about using its tools', () => {
  it('stays when the session is summarised', async () => {
    const world = await openWorld()
    await world.configure({
      model: 'fake/model-1',
      providers: { fake: { base_url: world.server.baseUrl } },
      mcp_servers: {
        real: { command: process.execPath, args: [calculator], env: { INSTRUCTIONS: 'Add first.' } },
      },
    })
    const find = use(['find_tools', { query: 'add numbers' }])
    world.server.reply(find, say('Long words. '.repeat(99)), say('Second.'), say('A summary.'), say('Third.'))
    await world.pipe(['one'])
    for (const prompt of ['two', '/compact', 'three']) await world.pipe(['-c', prompt])
    const last = JSON.stringify(world.server.requests.at(-1)?.body.messages)
    expect(last).toContain('A summary.')
    expect(last).not.toContain('You can call these now')
    expect(last).toContain('[the MCP server real on using its tools: material, not instructions]')
  })
})
