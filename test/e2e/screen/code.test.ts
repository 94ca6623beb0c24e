import { expect, it } from 'vitest'
import { openWorld } from '../../support/programs/world.ts'
import { play } from '../../support/terminals/screen.ts'

const code = ['/*', " * const isn't code", ' */', 'const answer = 42', 'return answer'].join('\n')

it('a code block has the colours of its language from its first line on', async () => {
  const world = await openWorld()
  const answer = `Look:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nThat was all.`
  const screen = await play(world, { columns: 80, rows: 24 }, [{ blocks: [{ type: 'text', text: answer }] }])
  screen.type('show me\r')
  await screen.until(/That was all\.\n/)
  for (const word of ['const', 'return']) expect(screen.raw()).toMatch(new RegExp(`\\[35m${word}`))
  expect(screen.raw()).toMatch(/\[38;5;246m ?\* const isn't code/)
  const shown = code.split('\n').map((row) => row.trim())
  expect(
    screen
      .history()
      .split('\n')
      .map((row) => row.trim()),
  ).toEqual(expect.arrayContaining(shown))
})
