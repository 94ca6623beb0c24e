import { describe, expect, it } from 'vitest'
import { png } from '../../support/messages/media.ts'
import { say, use } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openPrompt } from '../../support/terminals/screen.ts'
import { hasTerminal, openTerminal } from '../../support/terminals/terminal.ts'

const size = { columns: 100, rows: 30 }
const picture = png(10, 10, 1_954)

describe('a file named with @ in a conversation', () => {
  it('is sent with the message and shown with its size, also while another turn runs', async () => {
    const world = await openWorld()
    await world.put('a.txt', 'hello\n')
    await world.put('my notes.md', 'remember\n')
    await world.put('x.png', picture)
    await world.shell('mkfifo gate')
    world.server.reply(use(['bash', { command: 'cat gate' }]), say('Seen.'))
    const screen = await openPrompt(world, size, 'exec pipe --yolo')
    screen.type('look at @a.txt and @x.png, me@a.txt\r')
    await screen.until(
      /▌ look at @a\.txt.*\n {2}attached a\.txt · 6 bytes, x\.png · 2\.0 kB\n[\s\S]*[⠀-⣿] bash/,
    )
    screen.type('and @"my notes.md"\r')
    await screen.until(/↳ next: /)
    await world.shell('echo through > gate')
    await screen.until(/▌ and @"my notes\.md"\n {2}attached my notes\.md · 9 bytes\n\n {2}Seen\./)
    const sent = JSON.stringify(world.server.requests.map(({ body }) => body))
    expect(sent).toContain(String.raw`<file path=\"a.txt\">\nhello`)
    expect(sent).toContain('remember')
    expect(sent).toContain(picture.toString('base64'))
  })

  it('holds the prompt back if a rule denies reading it, and says why', async () => {
    const world = await openWorld()
    await world.put('secret.txt', 'key')
    const screen = await openPrompt(world, size, "exec pipe --disallowed-tools 'Read(secret.txt)'")
    screen.type('see @secret.txt\r')
    await screen.until(
      /secret\.txt is not attached: a deny rule hides it from the model[\s\S]*› see @secret\.txt/,
    )
    expect(world.server.requests).toEqual([])
  })

  it('holds the prompt back if it does not exist, until Enter sends it after all', async () => {
    const world = await openWorld()
    world.server.reply(say('What file?'))
    const screen = await openPrompt(world, size)
    screen.type('see @missing.txt\r')
    await screen.until(/there is no file missing\.txt; Enter sends it as it is[\s\S]*› see @missing\.txt/)
    expect(world.server.requests).toEqual([])
    screen.type('\r')
    await screen.until(
      /there is no file missing\.txt: nothing is attached for @missing\.txt[\s\S]*What file\?/,
    )
  })

  it('is found by its letters in the list below the prompt, as are folders and images', async () => {
    const world = await openWorld()
    await world.put('.gitignore', 'made/\n')
    await world.put('made/parser.txt', 'ignored\n')
    await world.put('src/my parser.txt', 'found\n')
    await world.put('shot.png', picture)
    world.server.reply(say('Seen.'))
    const screen = await openPrompt(world, size)
    screen.type('see @parst')
    await screen.until(/^❯ src\/my parser\.txt$\n(?!.*made)/m)
    screen.type('\r')
    await screen.until(/^› see @"src\/my parser\.txt"$/m)
    screen.type('and @shot')
    await screen.until(/^❯ shot\.png$/m)
    screen.type('\t')
    await screen.until(/^› see @"src\/my parser\.txt" and \[image 1 · 2\.0 kB\]$/m)
    screen.type('\r')
    await screen.until(/attached src\/my parser\.txt · 6 bytes, shot\.png · 2\.0 kB\n[\s\S]*Seen\./)
    const sent = JSON.stringify(world.server.requests.map(({ body }) => body))
    expect(sent).toContain(String.raw`<file path=\"src/my parser.txt\">\nfound`)
    expect(sent).toContain(picture.toString('base64'))
  })

  it.skipIf(!hasTerminal)('is reported in line mode too', async () => {
    const world = await openWorld()
    await world.put('a.txt', 'hello\n')
    world.server.reply(say('Seen.'))
    const terminal = await openTerminal(world, 'TERM=dumb pipe')
    await terminal.until(/>$/)
    await terminal.line('look at @a.txt')
    await terminal.until(/pipe: attached a\.txt · 6 bytes\nSeen\.\n>$/)
  })
})
