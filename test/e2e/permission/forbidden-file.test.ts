import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld, type World } from '../../support/programs/world.ts'

async function openGuarded(): Promise<World> {
  const world = await openWorld()
  await world.configure({
    model: 'fake/model-1',
    providers: { fake: { dialect: 'openai-chat', base_url: world.server.baseUrl } },
    permissions: { deny: ['Read(.env)'] },
  })
  await world.put('.env', 'KEY=hunter2\n')
  await world.put('a.txt', 'KEY=none\n')
  return world
}

describe('PATH-200: a file with a deny rule for reading', () => {
  it('is not searched, listed or read', async () => {
    const { pipe, server } = await openGuarded()
    server.reply(
      use(['grep', { pattern: 'KEY' }], ['glob', { pattern: '.*' }], ['read', { path: '.env' }]),
      say('Only a.txt.'),
    )
    expectRun(await pipe(['-q', 'where is the key?']), { stdout: 'Only a.txt.\n' })
    const results = server.requests[1]?.body.messages.filter(({ role }) => role === 'tool') ?? []
    expect(results).toHaveLength(3)
    const said = JSON.stringify(results)
    expect(said).toContain('a.txt:1:KEY=none')
    expect(said).not.toContain('hunter2')
    expect(said.match(/\.env/g)).toHaveLength(1)
  })

  it('is not attached, neither by name nor through a link', async () => {
    const { pipe, server, cwd } = await openGuarded()
    await symlink('.env', join(cwd, 'key'))
    for (const name of ['.env', 'key']) {
      const stderr = complaint(
        `${name} is not attached: a deny rule hides it from the model, or it contains keys`,
      )
      expectRun(await pipe([`what is @${name}?`]), { code: 45, stdout: '', stderr })
    }
    expect(server.requests.map(({ body }) => lastText(body))).toEqual([])
  })
})
