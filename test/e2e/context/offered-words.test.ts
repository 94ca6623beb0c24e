import { expect, it } from 'vitest'
import { say } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openPrompt } from '../../support/terminals/screen.ts'

const size = { columns: 80, rows: 24 }

it('an empty prompt offers to build in an empty folder, then what this conversation and the next can do', async () => {
  const world = await openWorld()
  world.server.reply(say('Done.'))
  const screen = await openPrompt(world, size)
  await screen.until(/^› Say what to build · @ files · \/ commands +\? keys$/m)
  screen.type('name the parser\r')
  await screen.until(/Done\.\n\n─{80}\n› Ask for more · @ files · \/ commands +\? keys\n─{80}\nask/)
  screen.type('\u0004')
  expect(await screen.ended).toBe(0)
  await world.put('a.txt', 'one\n')
  const next = await openPrompt(world, size)
  await next.until(/^› Ask anything · \/resume continues “name the parser” +\? keys$/m)
  next.type('\u001b[Z')
  await next.until(/^› Ask anything · \/resume [^\n]*\n─{80}\naccept edits · /m)
  next.resize({ columns: 80, rows: 15 })
  await next.until(/^› Ask anything · \/resume [^\n]*\naccept edits · /m)
  expect(next.text()).not.toContain('─')
  next.type('\u0004')
  expect(await next.ended).toBe(0)
})
