import { describe, expect, it } from 'vitest'
import { deferred } from '../../support/clocks/deferred.ts'
import { unfinished } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'
import { outline } from '../../support/sessions/session-file.ts'
import { expectScreen, goldenSizes } from '../../support/terminals/golden-screen.ts'
import { openPrompt, play } from '../../support/terminals/screen.ts'

const story = [
  '# A story\n\nOnce upon a time there was a **pipe** that was not a pipe. 日本語 too.\n\n',
  '- it took `text` in\n- it gave text out\n\n| in | out |\n|---|---|\n| a question | an answer |\n\n',
  '```sh\necho done\n```\n\nThe end, for now',
].join('')

const reasoning =
  'They want a plan.\n\nThe tests come first, then what they say is wrong; three steps are enough.'
const plan = '# The plan\n\nFirst a **look**:\n\n- read `a.ts`\n- run\n\n```sh\nnpm test\nnpm run li'

const text = (words: string) => ({ type: 'text', text: words })
const call = (name: string, args: object) => ({ type: 'tool_call', name, arguments: args })

describe.each(goldenSizes)('the screen at $columns x $rows', (size) => {
  it('shows a conversation: start, answer, hint to resume', async () => {
    const world = await openWorld()
    const screen = await play(world, size, [
      { blocks: [text(story)] },
      { blocks: [text('Slowly'), call('read', { path: 'missing.txt' })], pace_ms: 5 },
    ])
    await expectScreen(size, 'start', screen)
    screen.type('tell me')
    await screen.until(/› tell me/)
    screen.type('\r')
    await screen.until(/The end, for now[\s\S]*›/)
    await expectScreen(size, 'done', screen)
    screen.type('\u0004')
    expect(await screen.ended).toBe(0)
    await expectScreen(size, 'resume', screen)
    expect((await world.sessions()).map((session) => outline(session).length)).toEqual([2])
  })

  it('folds thinking, and shows Markdown while it streams', async () => {
    const world = await openWorld()
    const thought = deferred()
    world.server.reply(async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(unfinished({ type: 'thinking', thinking: reasoning }))
      await thought.promise
      response.write(unfinished({ type: 'text', text: plan }))
    })
    const screen = await openPrompt(world, size)
    screen.type('plan\r')
    await screen.until(/enough\.\n/)
    await expectScreen(size, 'thinking', screen)
    thought.resolve()
    await screen.until(/npm run li\n/)
    await expectScreen(size, 'streaming', screen)
  })

  it('asks, runs a command, and shows its output as it arrives', async () => {
    const world = await openWorld()
    const command = 'echo begun; cat gate; touch over'
    await world.shell('mkfifo gate')
    const screen = await play(world, size, [
      { blocks: [text('I will wait.'), call('bash', { command })] },
      { blocks: [text('It is over.')] },
    ])
    screen.type('wait\r')
    await screen.until(/Run this command[\s\S]*❯ [yn]/)
    await expectScreen(size, 'permission', screen)
    screen.type('y')
    await screen.until(/^ +begun$/m)
    await expectScreen(size, 'running', screen)
    await world.shell('echo through > gate')
    await screen.until(/It is over\.[\s\S]*› Ask [^\n]*\n─*\n?ask/)
    await expectScreen(size, 'ran', screen)
  })

  it('shows what an edit changed', async () => {
    const world = await openWorld()
    await world.put('a.txt', 'one\ntwo\nthree\nfour\nfive\n')
    const screen = await play(
      world,
      size,
      [
        { blocks: [call('read', { path: 'a.txt' })] },
        { blocks: [call('edit', { path: 'a.txt', old_text: 'three', new_text: 'drei' })] },
        { blocks: [text('Changed.')] },
      ],
      'exec pipe --permission-mode accept-edits',
    )
    screen.type('change it\r')
    await screen.until(/Changed\.[\s\S]*› Ask [^\n]*\n─*\n?accept edits/)
    await expectScreen(size, 'diff', screen)
    screen.type('/diff\r')
    await screen.until(/What the last turn changed[\s\S]*q closes/)
    await expectScreen(size, 'view-diff', screen)
  })

  it('shows an interrupt while text streams', async () => {
    const world = await openWorld()
    world.server.reply((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(unfinished({ type: 'text', text: `Once upon a time.\n\n${'word '.repeat(10)}` }))
    })
    const screen = await openPrompt(world, size)
    screen.type('talk\r')
    await screen.until(/word word/)
    screen.type('\u001b')
    await screen.until(/interrupted[\s\S]*› Ask [^\n]*\n─*\n?ask/)
    await expectScreen(size, 'interrupted', screen)
    screen.type('\u0004')
    expect(await screen.ended).toBe(0)
    expect((await world.sessions()).map(outline)).toEqual([
      ['user: talk', expect.stringMatching(/^assistant: Once upon[\s\S]*\[aborted\]$/)],
    ])
  })
})
