import { describe, expect, it } from 'vitest'
import { lastText, say } from '../../support/models/replies.ts'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { outline } from '../../support/sessions/session-file.ts'
import { openScreen } from '../../support/terminals/screen.ts'

const medium = { columns: 80, rows: 24 }

describe('-i', () => {
  it.each(['-i', '--prompt-interactive', '--promptInteractive'])(
    '%s starts the screen with a first message, and the conversation goes on',
    async (flag) => {
      const world = await openWorld()
      world.server.reply(say('Hello Ann.'), say('You are Ann.'))
      const screen = openScreen(world, `exec pipe ${flag} "I am Ann"`, medium)
      await screen.until(/I am Ann[\s\S]*Hello Ann\.[\s\S]*›/)
      screen.type('who am I?\r')
      await screen.until(/You are Ann\.[\s\S]*›/)
      // The screen shows an answer before the session has it.
      await expect
        .poll(async () => (await world.sessions()).map(outline))
        .toEqual([['user: I am Ann', 'assistant: Hello Ann.', 'user: who am I?', 'assistant: You are Ann.']])
    },
  )

  it('attaches what the prompt names, and carries out a command', async () => {
    const world = await openWorld()
    await world.put('notes.txt', 'buy milk')
    world.server.reply(say('Milk.'))
    const screen = openScreen(world, 'exec pipe -i "sum up @notes.txt"', medium)
    await screen.until(/Milk\.[\s\S]*›/)
    expect(world.server.requests.map(({ body }) => lastText(body).includes('buy milk'))).toEqual([true])
    const other = openScreen(world, 'exec pipe -i /help', medium)
    await other.until(/\/compact/)
    expect(world.server.requests).toHaveLength(1)
  })

  it('asks about a folder that is not trusted yet, then sends the prompt', async () => {
    const world = await openWorld()
    await world.shell('git init -q')
    world.server.reply(say('Hello Ann.'))
    const screen = openScreen(world, 'exec pipe -i "I am Ann"', medium)
    await screen.until(/Enter chooses ❯ · Esc cancels/)
    screen.type('y')
    await screen.until(/I am Ann[\s\S]*Hello Ann\.[\s\S]*›/)
  })

  it('keeps a prompt that cannot be sent, to be mended', async () => {
    const world = await openWorld()
    const screen = openScreen(world, 'exec pipe -i "/no-such-command now"', medium)
    await screen.until(/no-such-command[\s\S]*›/)
    expect(world.server.requests).toEqual([])
  })

  it('goes on with a session', async () => {
    const world = await openWorld()
    world.server.reply(say('Hello Ann.'), say('You are Ann.'))
    expectRun(await world.pipe(['I am Ann']), { stdout: 'Hello Ann.\n' })
    const screen = openScreen(world, 'exec pipe -c -i "who am I?"', medium)
    await screen.until(/who am I\?[\s\S]*You are Ann\.[\s\S]*›/)
    expect((await world.sessions()).map(outline)).toEqual([
      ['user: I am Ann', 'assistant: Hello Ann.', 'user: who am I?', 'assistant: You are Ann.'],
    ])
  })

  it.each([
    ['without a terminal', ['-i', 'hi'], 'needs a terminal'],
    ['with a second prompt', ['-i', 'fix', 'the test'], '"the test" is a second one'],
    ['with a command behind it', ['-i', 'fix', 'models'], '"models" is a second one'],
    ['with a flag of one answer', ['-i', 'hi', '--yes-no'], '--yes-no is for one answer'],
    ['with -p', ['-p', '-i', 'hi'], '--print is for one answer'],
    [
      'with a program that drives',
      ['-i', 'hi', '--input-format', 'stream-json'],
      '--input-format is for one',
    ],
    ['without words', ['-i', ' '], '-i takes a prompt'],
    ['without a value', ['-i'], '-i needs a value: PROMPT'],
  ])('is refused %s', async (_, args, reason) => {
    const { pipe, server } = await openWorld()
    expectRun(await pipe(args), { code: 2, stdout: '', stderr: complaint(reason) })
    expect(server.requests).toEqual([])
  })
})
