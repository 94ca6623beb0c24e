import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openWorld, type World } from '../../support/programs/world.ts'
import { outline } from '../../support/sessions/session-file.ts'
import { asking, end, inTerminalUi, question, run, script, whole } from './resumption-setup.ts'

const starts = {
  'the terminal UI': inTerminalUi,
  'line mode': async (world: World) => {
    const screen = run(world, 'TERM=dumb pipe')
    await screen.until(/>$/)
    screen.type('go\r')
    return screen
  },
  'a one-shot': async (world: World) => run(world, 'pipe go'),
}

describe('a question that a killed run left', () => {
  it.each(Object.entries(starts))('in %s is asked again after SIGTERM', async (_, start) => {
    const { world, screen } = await asking(start)
    end(world, 'SIGTERM')
    await screen.ended
    expect((await world.sessions()).map(outline)).toEqual([whole.slice(0, 2)])
    const again = run(world, 'pipe -c')
    await again.until(question)
    again.type('y')
    await again.until(/It is logged\./)
    expect((await world.sessions()).map(outline)).toEqual([whole])
  })

  it('is the only one of its call that is asked again', async () => {
    const world = await openWorld()
    const { configure, put } = world
    const add = { action: 'add', text: 'tidy up', agent: 'review, general' }
    const blocks = [{ type: 'tool_call', name: 'task', arguments: add }]
    await put('script.json', JSON.stringify({ version: 1, rounds: [{ blocks }, ...script.rounds.slice(1)] }))
    await configure({ model: 'replay/script.json', tools: { task: true } })
    const screen = await inTerminalUi(world)
    await screen.until(/❯ y/)
    screen.type('y')
    await screen.until(/Which agent works on this task\?/)
    end(world, 'SIGKILL')
    await screen.ended
    const again = run(world, 'pipe -c')
    await again.until(/Which agent works on this task\?[\s\S]*❯ 1/)
    again.type('\r')
    await again.until(/It is logged\.[\s\S]*›/)
    const [session] = await world.sessions()
    expect(session).not.toHaveProperty('pending')
    const { stdout } = await world.pipe(['task', '--json'])
    expect(JSON.parse(stdout).tasks).toMatchObject([{ title: 'tidy up', agent_id: 'agent_review' }])
  })

  it('about an edit is the same question, with its diff, and the edit is made', async () => {
    const world = await openWorld()
    const calls = [
      { name: 'read', arguments: { path: 'a.js' } },
      { name: 'edit', arguments: { path: 'a.js', old_text: '1', new_text: '2' } },
    ].map((call) => ({ blocks: [{ type: 'tool_call', ...call }] }))
    const rounds = [...calls, { blocks: [{ type: 'text', text: 'It is 2.' }] }]
    await world.put('a.js', 'n = 1\n')
    await world.put('script.json', JSON.stringify({ version: 1, rounds }))
    await world.configure({ model: 'replay/script.json' })
    const screen = await inTerminalUi(world)
    const diff = /Edit a\.js\?[\s\S]*- n = 1[\s\S]*\+ n = 2[\s\S]*❯ y/
    await screen.until(diff)
    end(world, 'SIGKILL')
    await screen.ended
    const pending = async () => JSON.stringify((await world.sessions()).map((one) => one['pending']))
    const before = await pending()
    const again = run(world, 'pipe -c')
    await again.until(diff)
    expect(await pending()).toBe(before)
    again.type('y')
    await again.until(/It is 2\./)
    expect(readFileSync(join(world.cwd, 'a.js'), 'utf8')).toBe('n = 2\n')
  })
})
