import { expect, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openScreen } from '../../support/terminals/screen.ts'

const size = { columns: 60, rows: 30 }

const answer = `# Result

It is **done**, in \`src\`:

- one
- two, which is so long that it does not fit into one row of this terminal

| a | b |
| --- | --- |
| 1 | 2 |

\`\`\`ts
const x = 1 // one
\`\`\`

The end`

const drawn = `Result

It is done, in src:

• one
• two, which is so long that it does not fit into one row of
  this terminal

a │ b
──┼──
1 │ 2

  const x = 1 // one

The end`

/** Blank rows and the blanks of tables are looks alone. */
const bare = (text: string) => text.replace(/[ \t]+/g, ' ').trim()

it('an answer on a terminal is drawn as in the terminal UI, and byte for byte on a pipe', async () => {
  const world = await openWorld()
  world.server.reply(say(answer), say(answer))
  const screen = openScreen(world, 'pipe -q "do it"', size)
  expect(await screen.ended).toBe(0)
  expect(bare(screen.text())).toBe(bare(drawn))
  expect(screen.raw()).toContain('\u001b[1m')
  expectRun(await world.pipe(['do it']), { stdout: `${answer}\n` })
})

it('is shown as it was written with --raw, the setting, a dumb terminal or a screen reader', async () => {
  const world = await openWorld()
  const lines = ['pipe -q --raw hi', 'TERM=dumb pipe -q hi', 'PIPE_SCREEN_READER=1 pipe -q hi']
  for (const line of lines) {
    world.server.reply(say('**Done.**'))
    const screen = openScreen(world, line, size)
    expect(await screen.ended).toBe(0)
    expect([line, screen.text().trim()]).toEqual([line, '**Done.**'])
  }
  await world.pipe(['config', 'set', 'markdown', 'false'])
  world.server.reply(say('**Done.**'))
  const screen = openScreen(world, 'pipe -q hi', size)
  expect(await screen.ended).toBe(0)
  expect(screen.text().trim()).toBe('**Done.**')
})

it('has no colour with NO_COLOR', async () => {
  const world = await openWorld()
  world.server.reply(say(answer))
  const screen = openScreen(world, 'NO_COLOR=1 pipe -q hi', size)
  expect(await screen.ended).toBe(0)
  expect(bare(screen.text())).toBe(bare(drawn))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with it
  expect(screen.raw()).not.toMatch(/\u001b\[[\d;]*3\dm/)
})

it('stands in whole rows between the notes about calls', async () => {
  const world = await openWorld()
  await world.put('a.txt', 'x')
  world.server.reply(
    {
      blocks: [
        { type: 'text', text: 'I *look* at it' },
        { type: 'tool_call', name: 'read', arguments: { path: 'a.txt' } },
      ],
    },
    say('**Done.**'),
  )
  const screen = openScreen(world, 'pipe "read it"', size)
  expect(await screen.ended).toBe(0)
  expect(screen.text()).toMatch(/I look at it\n• read a\.txt\n {2}✓ .*\nDone\.\npipe: resume with/)
})
