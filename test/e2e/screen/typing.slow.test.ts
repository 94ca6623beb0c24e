import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deferred } from '../../support/clocks/deferred.ts'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { say } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openPrompt, type ScreenRun, type ScreenSize } from '../../support/terminals/screen.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'

const medium: ScreenSize = { columns: 80, rows: 24 }
const unarmed = /you were typing: press Tab to answer/

/** A model that runs these commands once the gate is open, then says `Done.`. */
async function openGated(size: ScreenSize, ...commands: readonly string[]) {
  const world = await openWorld()
  const gate = deferred()
  const calls = commands.map(
    (command) => ({ type: 'tool_call', name: 'bash', arguments: { command } }) as const,
  )
  const gated: FakeReply = async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    await gate.promise
    response.end(replyEvents(calls).join(''))
  }
  world.server.reply(gated, say('Done.'), say('Again.'))
  const screen = await openPrompt(world, size)
  screen.type('go\r')
  await screen.until(/Esc stops/)
  return { screen, gate, has: (name: string) => existsSync(join(world.cwd, name)) }
}

/** Types a draft, then opens the gate and waits for the question. */
async function askOver(draft: string) {
  const opened = await openGated(medium, 'touch made')
  const { screen, gate } = opened
  screen.type(draft)
  await screen.until(new RegExp(`› ${draft.trim()}`))
  gate.resolve()
  await screen.until(/Run this command\?[\s\S]*you were typing/)
  return opened
}

/** Arms the question with Tab, then presses this key. */
async function answer(screen: ScreenRun, key: string) {
  screen.type('\t')
  await screen.until(/❯/)
  screen.type(key)
}

describe('a question that opens over a draft', () => {
  it('ignores keys typed into the draft, and brings the draft back', async () => {
    const { screen, has } = await askOver('wh')
    screen.type('y')
    await screen.until(/^› why$/m)
    expect([has('made'), unarmed.test(screen.text())]).toEqual([false, true])
    await answer(screen, 'y')
    await screen.until(/Done\.\n\n─+\n› why\n/)
    expect(has('made')).toBe(true)
  })

  it('lets the draft be edited: Backspace, Ctrl+U', async () => {
    const { screen, has } = await askOver('then ')
    screen.type('ab\u007f')
    await screen.until(/^› then a$/m)
    screen.type('\u0015')
    await screen.until(/^›$/m)
    screen.type('n1')
    await screen.until(/^› n1$/m)
    await answer(screen, 'n')
    await screen.until(/Done\.\n\n─+\n› n1\n/)
    expect(has('made')).toBe(false)
  })
})

describe('a window that shows a part of the question', () => {
  it('scrolls, and offers Yes only at the end', async () => {
    const command = `touch made; ${Array.from({ length: 30 }, (_, i) => `echo ${i}`).join('; ')}`
    const { screen, gate, has } = await openGated({ columns: 40, rows: 12 }, command)
    gate.resolve()
    await screen.until(/❯ n {2}no/)
    screen.type('y')
    await screen.until(/PgDn to the end first/)
    screen.type('\u001b[F')
    await screen.until(/\d+–(\d+) of \1[\s\S]*❯ n {2}no/)
    expect(has('made')).toBe(false)
    screen.type('\u001b[B\u001b[B')
    await screen.until(/❯ y/)
    screen.type('\r')
    await screen.until(/Done\./)
    expect(has('made')).toBe(true)
  })
})
