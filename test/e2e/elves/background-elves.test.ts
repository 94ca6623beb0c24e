import { describe, expect, it } from 'vitest'
import { deferred } from '../../support/clocks/deferred.ts'
import { blocks, calls, isAbout, replyBy } from '../../support/models/elf-replies.ts'
import { outlineRequest, say, use } from '../../support/models/replies.ts'
import { openWorld } from '../../support/programs/world.ts'
import { openScreen } from '../../support/terminals/screen.ts'

const inBackground = (prompt: string, more = {}) =>
  ['elf', { prompt, agent: 'explore', background: true, ...more }] as const

const size = { columns: 100, rows: 40 }

describe('an elf in the background', () => {
  it('goes on after the turn, and its result begins another', async () => {
    const world = await openWorld()
    const parent = deferred<void>()
    world.server.reply(use(inBackground('look around')))
    replyBy(world.server, 3, async (messages) => {
      if (isAbout(messages, 'look around')) {
        await parent.promise
        return blocks('All is calm.')
      }
      if (messages.at(-1)?.startsWith('tool: ') !== true) return blocks('It says all is calm.')
      parent.resolve()
      return blocks('It is on its way.')
    })
    const run = await world.pipe(['-o', 'stream-json', 'go'])
    expect(run).toMatchObject({ code: 0, stderr: '' })
    const lines = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.at(-1)).toMatchObject({
      result: 'It says all is calm.',
      turns: 2,
      rounds: 3,
      usage: { input_tokens: 40 },
    })
    const own = lines.filter(({ agent_id }) => agent_id === lines[1].agent_id)
    expect(own.map(({ seq }) => seq)).toEqual(own.map((_, i) => i + 1))
    expect(own.map(({ type }) => type)).toEqual(expect.arrayContaining(['elf_start', 'elf_end']))
    const [, , , last] = world.server.requests
    expect(last && outlineRequest(last.body).at(-1)).toBe(
      'user: [The elf e1 has ended in the background.]\n\nAll is calm.\n\n[e1 · explore · fake/model-1 · 1 round]',
    )
  })

  it('is steered, awaited and stopped by its name', async () => {
    const world = await openWorld()
    const [begun, steered, cut] = [deferred<void>(), deferred<void>(), deferred<boolean>()]
    const said: string[] = []
    replyBy(world.server, 7, async (messages, { closed }) => {
      const last = messages.at(-1) ?? ''
      if (isAbout(messages, 'two')) {
        begun.resolve()
        return void cut.resolve(await closed)
      }
      if (isAbout(messages, 'one')) {
        await steered.promise
        if (last.endsWith('one')) return calls(['glob', { pattern: '*' }])
        // An elf that ends before the parent waits reports by itself.
        await cut.promise
        return blocks(last.endsWith('and hurry') ? 'Hurried.' : 'Slow.')
      }
      said.push(messages.slice(-4).join('\n'))
      if (said.length === 1) return calls(inBackground('one'), inBackground('two'))
      await begun.promise
      if (said.length === 2) return calls(['elf', { action: 'send', id: 'e1', prompt: 'and hurry' }])
      steered.resolve()
      if (said.length === 4) return blocks('Both are over.')
      return calls(['elf', { action: 'stop', id: 'e2' }], ['elf', { action: 'wait' }])
    })
    const run = await world.pipe(['-o', 'json', 'go'])
    expect(JSON.parse(run.stdout)).toMatchObject({ result: 'Both are over.', is_error: false })
    expect(await cut.promise).toBe(true)
    expect(said[2]).toContain('tool: e1 gets it with its next request')
    expect(said[3]).toContain('Hurried.\n\n[e1 · explore · fake/model-1 · 2 rounds]')
    expect(said[3]).toContain('It ended early: it was stopped.')
  })

  it('asks on the terminal after the turn, and while another turn runs', async () => {
    const world = await openWorld()
    const command = `node -e "console.log('ran')"`
    replyBy(world.server, 5, (messages) => {
      const isAnswered = messages.at(-1)?.startsWith('tool: ') === true
      if (isAbout(messages, 'run it'))
        return isAnswered ? blocks(messages.at(-1) ?? '') : calls(['bash', { command }])
      if (isAnswered) return blocks('Begun.')
      return messages.at(-1)?.includes('tool: ran') === true
        ? blocks('It ran.')
        : calls(inBackground('run it', { agent: 'general' }))
    })
    const screen = openScreen(world, 'pipe go', size)
    await screen.until(/e1 \(general\): Run this command\?[\s\S]*>$/)
    screen.type('y\r')
    await screen.until(/It ran\./)
    expect(await screen.ended).toBe(0)
  })

  it('asks, and reports, while the user of a simple terminal has the prompt', async () => {
    const world = await openWorld()
    const command = `node -e "console.log('ran')"`
    const idle = deferred<void>()
    replyBy(world.server, 5, async (messages) => {
      const isAnswered = messages.at(-1)?.startsWith('tool: ') === true
      if (isAbout(messages, 'run it')) {
        if (isAnswered) return blocks(messages.at(-1) ?? '')
        await idle.promise
        return calls(['bash', { command }])
      }
      if (isAnswered) return blocks('Begun.')
      return messages.at(-1)?.includes('tool: ran') === true
        ? blocks('It ran.')
        : calls(inBackground('run it', { agent: 'general' }))
    })
    const screen = openScreen(world, 'TERM=dumb pipe', size)
    await screen.until(/>$/)
    screen.type('go\r')
    await screen.until(/Begun\.\n>$/)
    idle.resolve()
    await screen.until(/e1 \(general\): Run this command\?[\s\S]*>$/)
    screen.type('y\r')
    await screen.until(/It ran\.\n>$/)
    screen.type('/quit\r')
    expect(await screen.ended).toBe(0)
  })

  it('ends with the run, which goes on for it alone', async () => {
    const world = await openWorld()
    const cut = deferred<boolean>()
    replyBy(world.server, 3, async (messages, { closed }) => {
      if (isAbout(messages, 'look')) return void cut.resolve(await closed)
      return messages.at(-1)?.startsWith('tool: ') ? blocks('Begun.') : calls(inBackground('look'))
    })
    const run = world.start(['-o', 'stream-json', 'go'])
    await run.until(/"type":"turn_end"/)
    await expect.poll(() => world.server.requests.length).toBe(3)
    run.kill('SIGINT')
    expect(await run.ended).toMatchObject({ code: 130 })
    expect(await cut.promise).toBe(true)
    world.server.reply(say('Alone.'))
    expect(await world.pipe(['-c', 'and?'])).toMatchObject({ code: 0, stdout: 'Alone.\n' })
  })
})
