import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openPrompt } from '../../support/terminals/screen.ts'

const size = { columns: 80, rows: 24 }

describe('the files of a conversation that goes back', () => {
  /** Two turns that change a file, with this file before them. */
  async function changedTwice() {
    const world = await openWorld()
    await world.put('a.txt', 'zero')
    const change = (words: string) => use(['bash', { command: `echo ${words} > a.txt` }])
    world.server.reply(change('one'), say('Once.'), change('two'), say('Twice.'), say('Back.'))
    const screen = await openPrompt(world, size, 'exec pipe --yolo')
    screen.type('change it\r')
    await screen.until(/Once\.\n\n─+\n›/)
    screen.type('change it again\r')
    // The status line of a running turn begins with its time.
    await screen.until(/Twice\.\n\n─+\n› Ask [^\n]*\n─+\nbypass/)
    return { world, screen, file: () => readFileSync(join(world.cwd, 'a.txt'), 'utf8') }
  }

  it('go back with it, over several turns, and the model hears nothing of them', async () => {
    const { world, screen, file } = await changedTwice()
    screen.type('/rewind\r')
    await screen.until(/❯ change it again .*files\n {2}change it .*files/)
    screen.type('\u001b[B\r')
    await screen.until(/❯ conversation and files +changed by 2 turns\n/)
    screen.type('\r')
    await screen.until(/undid: change it again\n[\s\S]*undid: change it\n[\s\S]*\n› change it\n/)
    expect(file()).toBe('zero')
    screen.type(' differently\r')
    await screen.until(/Back\.\n\n─+\n›/)
    const heard = JSON.stringify(world.server.requests.at(-1)?.body)
    expect(heard).toContain('change it differently')
    expect(heard).not.toMatch(/undid|Twice|stayed|later turns/)
  })

  it('that were changed since stay, and the conversation goes back all the same', async () => {
    const { world, screen, file } = await changedTwice()
    // A turn ends by saving its files, and the next one waits for that. A change before it would belong to the turn.
    screen.type('wait\r')
    await screen.until(/Back\.\n\n─+\n› Ask [^\n]*\n─+\nbypass/)
    await world.put('a.txt', 'mine')
    screen.type('/rewind\r')
    await screen.until(/❯ wait/)
    screen.type('\u001b[B\r')
    await screen.until(/❯ conversation and files/)
    screen.type('\r')
    await screen.until(/not all files could be restored: [\s\S]*\n› change it again\n/)
    expect(file()).toBe('mine')
  })
})
