import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveWorld } from '../../support/live/served.ts'
import { png } from '../../support/messages/media.ts'
import { say, use } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openPrompt } from '../../support/terminals/screen.ts'
import { hasTerminal, openTerminal } from '../../support/terminals/terminal.ts'

/** Opens a world whose project has a link to a private file, one to a folder with another, and one that stays inside. */
async function openLinked() {
  const world = await openWorld()
  const { cwd, put } = world
  const outside = join(dirname(cwd), 'private')
  await mkdir(outside)
  await writeFile(join(outside, 'key.txt'), 'the private text\n')
  await put('docs/a.txt', 'inside\n')
  await symlink(join(outside, 'key.txt'), join(cwd, 'README.md'))
  await symlink('../../private', join(cwd, 'docs/old'))
  await symlink('docs', join(cwd, 'doc'))
  const sent = () => JSON.stringify(world.server.requests.map(({ body }) => body))
  return { world, outside, sent }
}

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
    await screen.until(/@missing\.txt attaches nothing: there is no file missing\.txt[\s\S]*What file\?/)
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

describe('a link of the project that leads out of it', () => {
  const words: readonly (readonly [string, readonly string[], string | undefined, string, string])[] = [
    ['a file', ['see @README.md'], undefined, 'README.md', 'key.txt'],
    ['a part of a file', ['see @README.md:1-1'], undefined, 'README.md', 'key.txt'],
    ['a file behind a folder', ['see @docs/old/key.txt'], undefined, 'docs/old/key.txt', 'key.txt'],
    ['a folder', ['see @docs/old'], undefined, 'docs/old', ''],
    ['a file of -f', ['-f', 'README.md', 'see'], undefined, 'README.md', 'key.txt'],
    ['a prompt on stdin', [], 'see @README.md', 'README.md', 'key.txt'],
  ]
  it.each(words)('is refused for %s where nobody is asked', async (_, args, input, path, name) => {
    const { world, outside } = await openLinked()
    const { pipe, server } = world
    const target = join(outside, name).replace(/\/$/, '')
    expectRun(await pipe(args, { ...(input !== undefined && { input }) }), {
      code: 45,
      stdout: '',
      stderr: `pipe: ${path} is not attached: a link in this folder leads to ${target}; name that path to attach it\n`,
    })
    expect(server.requests).toEqual([])
  })

  it('is followed by the path that the user names, as is a link inside, and one of an added folder', async () => {
    const { world, outside, sent } = await openLinked()
    const { pipe, server } = world
    server.reply(say('one'), say('two'))
    await pipe([`see @${outside}/key.txt and @../private/key.txt and @doc/a.txt`])
    expect(sent().split('the private text')).toHaveLength(3)
    expect(sent()).toContain('inside')
    await pipe(['--add-dir', outside, 'see @README.md'])
    expect(sent().split('the private text')).toHaveLength(4)
  })

  it('is asked about on the screen, before anything is sent', async () => {
    const { world, sent } = await openLinked()
    const question =
      /Attach what a link in this folder leads to\?[\s\S]*README\.md: .*private\/key\.txt[\s\S]*❯/
    world.server.reply(say('Seen.'), say('Again.'))
    const screen = await openPrompt(world, { columns: 120, rows: 30 })
    screen.type('see @README.md\r')
    await screen.until(question)
    screen.type('n')
    await screen.until(/README\.md is not attached[\s\S]*› see @README\.md/)
    expect(world.server.requests).toEqual([])
    screen.type('\r')
    await screen.until(question)
    screen.type('y')
    await screen.until(/attached README\.md[\s\S]*Seen\./)
    screen.type('and @README.md\r')
    await screen.until(/Again\./)
    expect(sent()).toContain('the private text')
  })

  it.skipIf(!hasTerminal)('is asked about in line mode too', async () => {
    const { world, sent } = await openLinked()
    world.server.reply(say('Seen.'))
    const terminal = await openTerminal(world, 'TERM=dumb pipe')
    await terminal.until(/>$/)
    await terminal.line('see @README.md')
    await terminal.until(/Attach what a link in this folder leads to\?[\s\S]*>$/)
    await terminal.line('')
    await terminal.until(/README\.md is not attached[\s\S]*>$/)
    expect(world.server.requests).toEqual([])
    await terminal.line('see @README.md')
    await terminal.until(/Attach[\s\S]*Attach[\s\S]*>$/)
    await terminal.line('y')
    await terminal.until(/attached README\.md[\s\S]*Seen\.\n>$/)
    expect(sent()).toContain('the private text')
  })

  it('is refused for clients of a server', async () => {
    const { world } = await openLinked()
    const { call } = await serveWorld(world, [])
    const { json } = await call('POST', '/v1/sessions', {})
    const { id } = json as { readonly id: string }
    expect(await call('POST', `/v1/sessions/${id}/messages`, { text: 'see @README.md' })).toMatchObject({
      status: 403,
      text: expect.stringContaining('README.md is not attached: a link in this folder leads to'),
    })
    expect(world.server.requests).toEqual([])
  })
})
