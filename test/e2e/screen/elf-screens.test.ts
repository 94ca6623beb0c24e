import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/json-value.ts'
import type { ScriptBlock } from '../../../src/replay/script.ts'
import { deferred } from '../../support/clocks/deferred.ts'
import { isAbout } from '../../support/models/elf-replies.ts'
import type { FakeReply } from '../../support/models/fake-server.ts'
import { outlineRequest } from '../../support/models/replies.ts'
import { openWorld, type World } from '../../support/programs/world.ts'
import { expectScreen, goldenSizes } from '../../support/terminals/golden-screen.ts'
import { openPrompt } from '../../support/terminals/screen.ts'
import { replyEvents } from '../../support/vendors/chat-sse.ts'

const prompts = {
  explore: 'find where sessions are locked',
  review: 'read the log as it grows',
  general: 'make a file',
  broken: 'use a tool',
}

const say = (text: string): readonly ScriptBlock[] => [{ type: 'text', text }]
const use = (...calls: readonly (readonly [name: string, args: JsonObject])[]): readonly ScriptBlock[] =>
  calls.map(([name, args]) => ({ type: 'tool_call', name, arguments: args }))

/** The reply of the model, or of the elf that it sends. */
function replyTo(messages: readonly string[]): readonly ScriptBlock[] {
  const hasResult = messages.at(-1)?.startsWith('tool: ') === true
  if (isAbout(messages, prompts.explore)) return say('The lock is in `src/files/lock.ts`.')
  if (isAbout(messages, prompts.review))
    return hasResult ? say('It says hello.') : use(['bash', { command: 'cat gate' }])
  if (isAbout(messages, prompts.general))
    return hasResult ? say('It is there.') : use(['bash', { command: 'touch made' }])
  if (hasResult) return say('All of them have ended.')
  return use(
    ['elf', { prompt: prompts.explore, agent: 'explore' }],
    ['elf', { prompt: prompts.review, agent: 'review' }],
    ['elf', { prompt: prompts.general, agent: 'general' }],
    ['elf', { prompt: prompts.broken, agent: 'review' }],
  )
}

/** Lets the model send four elves. The first one answers once `found` resolves, and the last one fails. */
function sendElves({ server }: World, found: Promise<void>): void {
  const reply: FakeReply = async ({ body }, response) => {
    const messages = outlineRequest(body)
    if (isAbout(messages, prompts.broken)) {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: 'this model takes no tools' } }))
      return
    }
    if (isAbout(messages, prompts.explore)) await found
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(replyEvents(replyTo(messages)).join(''))
  }
  server.reply(...Array.from({ length: 8 }, () => reply))
}

describe.each(goldenSizes)('the screen at $columns x $rows', (size) => {
  it('shows elves at work, one that asks and one that failed, and their results', async () => {
    const world = await openWorld()
    const found = deferred<void>()
    sendElves(world, found.promise)
    await world.shell('mkfifo gate')
    const screen = await openPrompt(world, size)
    screen.type('look around\r')
    await screen.until(/━ e\d \(general\): Run[\s\S]*❯ [yn]/)
    await expectScreen(size, 'elves', screen)
    // A small window shows the rest of the question first.
    screen.type('\u001b[6~y')
    await screen.until(/Use e\d's changes[\s\S]*❯ [yn]/)
    screen.type('\u001b[6~y')
    await screen.until(/● general +e\d/)
    await world.shell('echo hello > gate')
    await screen.until(/● review +e\d/)
    found.resolve()
    await screen.until(/have ended\.[\s\S]*› Ask [^\n]*\n─*\n?ask.* 105 tokens/)
    await expectScreen(size, 'elves-done', screen)
    screen.type('/elves\r')
    await screen.until(/Elves {2}3 done · 1 failed/)
    screen.type('\r')
    await screen.until(/Esc goes back/)
    screen.type('\u001b')
    await screen.until(/Elves/)
    screen.type('q')
    await screen.until(/› Ask [^\n]*\n─*\n?ask/)
    screen.type('\u0004')
    expect(await screen.ended).toBe(0)
  })
})
