import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { openPrompt } from '../../support/terminals/screen.ts'

const size = { columns: 170, rows: 40 }

async function settingsOf(world: World): Promise<unknown> {
  return JSON.parse(await readFile(join(world.home, 'config.json'), 'utf8'))
}

describe('/status and /new', () => {
  it('show how the conversation stands, and begin another one in which it stands anew', async () => {
    const world = await openWorld()
    await world.put('AGENTS.md', 'Be brief.')
    await world.shell(
      'mkdir .pipe && echo \'{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}\' > .pipe/config.json',
    )
    world.server.reply(say('Hello.'))
    const screen = await openPrompt(world, size, 'exec pipe --trust')
    screen.type('greet me\r')
    await screen.until(/❯ l {2}not now/)
    screen.type('\u001b[B\u001b[A\r')
    await screen.until(/Hello\.[\s\S]*\n›/)
    screen.type('/status\r')
    await screen.until(/ {2}spent +[\d.]+k? tokens/)
    const [session] = await world.sessions()
    const shown = screen.text()
    for (const row of [
      /pipe +\d+\.\d+\.\d+/,
      new RegExp(`session +${session?.id}`),
      new RegExp(`file +\\S*${session?.id}\\.json`),
      /title +greet me/,
      /model +fake\/model-1, set by \S*config\.json/,
      /mode +ask/,
      /sandbox +off/,
      /folder +\S+, trusted/,
      /instructions +AGENTS\.md/,
      /MCP servers +none/,
      /hooks +1 not approved: run pipe trust/,
      /context +[\d.]+k? tokens/,
    ])
      expect(shown).toMatch(row)
    screen.type('/new\r')
    await screen.until(/\n {2}a new conversation\n/)
    screen.type('/model fake/model-2\r')
    await screen.until(/model: fake\/model-2|\n› [\s\S]*model-2/)
    screen.type('/status\r')
    await screen.until(/model +fake\/model-2, set by \/model[\s\S]*spent +nothing yet/)
    expect(
      screen
        .text()
        .match(/session +[\da-f-]{36}/g)
        ?.at(-1),
    ).not.toContain(session?.id)
  })
})

describe('/config', () => {
  it('lists settings, and writes what is chosen or typed to the file of the user', async () => {
    const world = await openWorld()
    const screen = await openPrompt(world, size)
    screen.type('/config\r')
    await screen.until(/Which setting\? {2}\d+ settings[\s\S]*❯ model/)
    screen.type('tui.notify')
    await screen.until(/❯ tui\.notify[\s\S]*default: auto/)
    screen.type('\r')
    await screen.until(/❯ auto[\s\S]*bell/)
    screen.type('\u001b[B\r')
    await screen.until(/tui\.notify = "bell" in \S+config\.json; it counts from the next start on/)
    screen.type('/config memory.budget\r')
    await screen.until(/› \/config memory\.budget *$/m)
    screen.type('many\r')
    await screen.until(/memory\.budget: .*expected number/)
    screen.type('\u0015/config memory.budget 500\r')
    await screen.until(/memory\.budget = 500 in/)
    expect(await settingsOf(world)).toMatchObject({ tui: { notify: 'bell' }, memory: { budget: 500 } })
  })

  it('says what counts more, and writes no secret back', async () => {
    const world = await openWorld()
    await world.configure({
      model: 'fake/model-1',
      providers: {
        fake: { dialect: 'openai-chat', base_url: world.server.baseUrl, headers: { 'x-key': 'sesame' } },
      },
    })
    const screen = await openPrompt(world, size, 'exec pipe --permission-mode plan')
    screen.type('/config permissions.mode auto\r')
    await screen.until(/permissions\.mode = "auto" in [^;]+; --permission-mode sets it too, and counts more/)
    screen.type('/config providers.fake.headers.x-key\r')
    await screen.until(/› \/config providers\.fake\.headers\.x-key *$/m)
    expect(screen.history()).not.toContain('sesame')
  })
})
