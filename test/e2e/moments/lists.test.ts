import { describe, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { expectScreen, goldenSizes } from '../../support/terminals/golden-screen.ts'
import { openPrompt, play } from '../../support/terminals/screen.ts'

const text = (words: string) => ({ type: 'text', text: words })

/** Has conversations with these first messages, the last one with a recording. */
async function converse(world: World, ...prompts: readonly string[]): Promise<void> {
  for (const prompt of prompts) {
    world.server.reply(say('Done.'))
    await world.pipe(['-q', prompt])
  }
  await world.put('demo.json', JSON.stringify({ version: 1, rounds: [{ blocks: [text('Hi.')] }] }))
  await world.pipe(['-q', '-m', 'replay/demo.json', 'show the demo'])
}

describe.each(goldenSizes)('the screen at $columns x $rows', (size) => {
  it('shows earlier conversations, and the settings', async () => {
    const world = await openWorld()
    await converse(world, 'Rename --retries to --tries', 'The totals are wrong, fix them')
    const screen = await openPrompt(world, size)
    screen.type('/resume\r')
    await screen.until(/Continue[\s\S]*❯ [\s\S]*1 replay hidden/)
    await expectScreen(size, 'sessions', screen)
    screen.type('\u001b')
    await screen.until(/^›\s*$/m)
    screen.type('\u001b')
    await screen.until(/^› (?:Ask|Say|\/resume) /m)
    screen.type('/config\r')
    await screen.until(/Which setting\?[\s\S]*❯ /)
    screen.type('tui.')
    await screen.until(/› tui\.[\s\S]*❯ tui/)
    await expectScreen(size, 'settings', screen)
  })

  it('shows all commands, and how the conversation stands', async () => {
    const world = await openWorld()
    const screen = await play(world, size, [{ blocks: [text('Hello.')] }])
    screen.type('/')
    await screen.until(/› \/[\s\S]*❯ \/[\s\S]* of \d+/)
    await expectScreen(size, 'commands', screen)
    screen.type('status\r')
    await screen.until(/spent +nothing yet/)
    await expectScreen(size, 'status', screen)
  })
})
