import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openWorld } from '../../support/programs/world.ts'
import { play } from '../../support/terminals/screen.ts'

it('a file that instructions import from outside of the project is sent after an approval alone', async () => {
  const world = await openWorld()
  await world.put('.git/HEAD', '')
  await world.put('AGENTS.md', 'Rules: @~/notes.md and @docs/style.md')
  await world.put('docs/style.md', 'Use tabs.')
  const notes = join(world.cwd, '../notes.md')
  await writeFile(notes, 'Private notes.')
  const left =
    'pipe: AGENTS.md imports ~/notes.md, which is skipped: it is outside the project; pipe trust approves it\n'
  world.server.reply(say('Done.'), say('Done.'))
  expectRun(await world.pipe(['-p', '-v', '--trust', 'go']), {
    stdout: 'Done.\n',
    stderr: expect.stringContaining(`${left}pipe: instructions: docs/style.md, AGENTS.md\n`),
  })
  expectRun(await world.pipe(['trust']), { stdout: `trusted: ${world.cwd}\nimport: ${notes}\n` })
  await world.pipe(['-p', 'go'])
  const sent = world.server.requests.map(({ body }) => JSON.stringify(body.messages))
  expect(sent.map((text) => [text.includes('Use tabs.'), text.includes('Private notes.')])).toEqual([
    [true, false],
    [true, true],
  ])
})

it('such a file is no longer said to be left out once its import was approved on the screen', async () => {
  const world = await openWorld()
  await world.put('.git/HEAD', '')
  await world.put('AGENTS.md', 'Rules: @~/notes.md')
  await writeFile(join(world.cwd, '../notes.md'), 'Private notes.')
  const screen = await play(world, { columns: 100, rows: 30 }, [
    { blocks: [{ type: 'text', text: 'Done.' }] },
  ])
  screen.type('go\r')
  await screen.until(/imports ~\/notes\.md, which is skipped[\s\S]*Use this folder\?[\s\S]*❯/)
  screen.type('y')
  await screen.until(/▌ go[\s\S]*Done\./)
  const [, ...heads] = screen.history().split('pipe 0.')
  expect(heads.map((head) => [head.includes('~/notes.md'), head.includes('skipped')])).toEqual([
    [true, true],
    [true, false],
  ])
})
