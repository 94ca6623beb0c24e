import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { openPrompt } from '../../support/terminals/screen.ts'
import { openProject, propose } from './trust-setup.ts'

describe('the terminal UI', () => {
  const size = { columns: 100, rows: 30 }

  it('does not ask again after a no, but asks about changed rules in a trusted folder', async () => {
    const world = await openProject()
    world.server.reply(say('one'), say('two'), say('three'))
    const ask = async (answer: string | undefined, pattern: RegExp) => {
      const screen = await openPrompt(world, size)
      screen.type('go\r')
      if (answer !== undefined) {
        await screen.until(/━ (Use|Allow)[\s\S]*❯/)
        screen.type(answer)
      }
      await screen.until(pattern)
      screen.type('\u0004')
      await screen.ended
    }
    await ask('3', /not trusted: [\s\S]*one/)
    await ask(undefined, /two/)
    await world.pipe(['trust'])
    await propose(world, 'Bash')
    await ask('3', /three/)
    world.server.reply(say('four'))
    await ask(undefined, /four/)
    const stored = JSON.parse(readFileSync(join(world.home, 'trust.json'), 'utf8'))
    expect(stored.folders[world.cwd]).toMatchObject({ trusted: true, contents: [{ approved: false }] })
  })
})
