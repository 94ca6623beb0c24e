import { describe, expect, it } from 'vitest'
import type { ScriptBlock } from '../../../src/replay/script.ts'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { lastText, say, unfinished, use } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openPrompt, type ScreenRun, type ScreenSize } from '../../support/terminals/screen.ts'

const medium: ScreenSize = { columns: 80, rows: 24 }

/** Presses Esc and waits for an idle prompt that holds this text. */
async function expectStop(screen: ScreenRun, written: string): Promise<void> {
  screen.type('\u001b')
  await screen.until(new RegExp(`interrupted after[^\\n]*\\n\\n─+\\n›${written}\\n─+\\n\\w`))
}

describe('Esc', () => {
  const hangs = (block: ScriptBlock, missing?: number): FakeReply => ({
    sse: unfinished(block, missing),
    ending: 'hang',
  })
  const busy: FakeReply = { status: 529, headers: { 'retry-after': '30' } }
  const silent: FakeReply = () => new Promise(() => {})
  const thinking = hangs({ type: 'thinking', thinking: 'I wonder' })
  const talking = hangs({ type: 'text', text: 'Once upon a time' })
  const calling = hangs({ type: 'tool_call', name: 'bash', arguments: { command: 'echo one two' } }, 2)
  const running = use(['bash', { command: 'echo begun; sleep 60' }])

  it.each<[string, FakeReply, boolean, RegExp]>([
    ['pipe waits to retry a request', busy, false, /trying again in 30 s/],
    ['the server has not begun to answer', silent, true, /thinking \d+ s/],
    ['the model thinks', thinking, true, /[⠀-⣿] thinking[^\n]*\n {4}I wonder/],
    ['the model writes text', talking, true, /Once upon a time/],
    ['the model writes the arguments of a call', calling, true, /○ bash/],
    ['a command runs', running, false, /^ +begun$/m],
  ])(
    'stops at once while %s, and puts the queued prompt back in the input',
    async (_, reply, isOpen, sign) => {
      const world = await openWorld()
      world.server.reply(reply, say('Fine.'))
      const screen = await openPrompt(world, medium, 'exec pipe --yolo')
      screen.type('go\r')
      await screen.until(sign)
      await expect.poll(() => world.server.requests.length).toBe(1)
      screen.type('and then')
      await screen.until(/^› and then$/m)
      screen.type('\r')
      await screen.until(/↳ next: and then/)
      await expectStop(screen, ' and then')
      expect(await world.server.requests[0]?.closed).toBe(isOpen)
      screen.type('\r')
      await screen.until(/▌ and then\n\n {2}Fine\.\n\n─+\n› Ask for more/)
      expect(world.server.requests.map(({ body }) => lastText(body).slice(-8))).toEqual([
        expect.stringMatching(/go$/),
        'and then',
      ])
    },
  )

  it('stops at once while a question is open, and does not run the call', async () => {
    const world = await openWorld()
    world.server.reply(use(['bash', { command: 'touch made' }]), say('Fine.'))
    const screen = await openPrompt(world, medium)
    screen.type('go\r')
    await screen.until(/Run this command/)
    await expectStop(screen, ' Ask for more [^\\n]*')
    screen.type('and now?\r')
    await screen.until(/Fine\./)
    const made = await world.shell('ls')
    expect([made.stdout, world.server.requests.length]).toEqual(['', 2])
  })
})
