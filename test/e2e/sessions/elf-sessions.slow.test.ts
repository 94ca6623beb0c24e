import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blocks, calls, isAbout, replyBy } from '../../support/models/elf-replies.ts'
import { say } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openScreen } from '../../support/terminals/screen.ts'
import { elf, end } from './elf-sessions-setup.ts'

describe('the question of an elf', () => {
  it('about its changes is asked again, and none of its work is repeated', async () => {
    const world = await openWorld()
    replyBy(world.server, 4, (messages) => {
      if (isAbout(messages, 'first')) return blocks('First is done.')
      if (!isAbout(messages, 'write it')) return calls(elf('first'), elf('write it', { agent: 'general' }))
      const isMade = messages.at(-1)?.startsWith('tool: ') === true
      return isMade ? blocks('Made.') : calls(['write', { path: 'made.txt', content: 'made' }])
    })
    const size = { columns: 100, rows: 40 }
    const screen = openScreen(world, 'pipe go', size)
    await screen.until(/Use e2's changes to 1 file\?[\s\S]*>$/)
    end(world.home, 'SIGHUP')
    await screen.ended
    world.server.reply(say('Done.'))
    const again = openScreen(world, 'pipe -p -c', size)
    await again.until(/Use e2's changes to 1 file\?[\s\S]*>$/)
    again.type('y\r')
    await again.until(/Done\./)
    expect(await again.ended).toBe(0)
    expect(world.server.requests).toHaveLength(5)
    expect(readFileSync(join(world.cwd, 'made.txt'), 'utf8')).toBe('made')
  })
})
