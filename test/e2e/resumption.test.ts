import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openWorld, type World } from '../support/programs/world.ts'
import { outline } from '../support/sessions/session-file.ts'
import { openScreen, type ScreenRun } from '../support/terminals/screen.ts'

const size = { columns: 80, rows: 24 }
const script = {
  version: 1,
  rounds: [
    { blocks: [{ type: 'tool_call', name: 'bash', arguments: { command: 'echo ran >> log.txt' } }] },
    { blocks: [{ type: 'text', text: 'It is logged.' }] },
  ],
}

/** A question that takes keys: on a full screen, or line by line. */
const question = /Run this command\?[\s\S]*(❯ [yn]|\n>$)/

const run = (world: World, line: string) => openScreen(world, line, size)

/** Starts pipe with a line of sh, and waits for its question. */
async function asking(start: (world: World) => Promise<ScreenRun>) {
  const world = await openWorld()
  await world.put('script.json', JSON.stringify(script))
  await world.configure({ model: 'replay/script.json' })
  const screen = await start(world)
  await screen.until(question)
  return { world, screen }
}

/** Ends the process that holds the session. */
function end({ home }: World, signal: NodeJS.Signals): void {
  const sessions = join(home, 'sessions')
  const [lock = ''] = readdirSync(sessions).filter((name) => name.endsWith('.lock'))
  const { pid }: { readonly pid: number } = JSON.parse(readFileSync(join(sessions, lock), 'utf8'))
  process.kill(pid, signal)
}

async function inTerminalUi(world: World): Promise<ScreenRun> {
  const screen = run(world, 'pipe')
  await screen.until(/›/)
  screen.type('go\r')
  return screen
}

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

const endings = [
  ['the terminal UI', 'pipe -c', 'y', /It is logged\.[\s\S]*›/],
  ['line mode', 'TERM=dumb pipe -c', 'y\r', /It is logged\.[\s\S]*\n>$/],
  ['a one-shot', 'pipe -p -c', 'y\r', /It is logged\./],
  ['a one-shot with a prompt', 'pipe -c "and then?"', 'y\r', /It is logged\./],
] as const

const whole = [
  'user: go',
  'assistant: bash [tool_use]',
  'tool_result: (no output)',
  'assistant: It is logged.',
]

describe('a question that a killed run left', () => {
  it.each(endings)('is asked again in %s, and its call is carried out once', async (_, line, yes, over) => {
    const { world, screen } = await asking(inTerminalUi)
    end(world, 'SIGKILL')
    await screen.ended
    const again = run(world, line)
    await again.until(question)
    again.type(yes)
    await again.until(over)
    expect(readFileSync(join(world.cwd, 'log.txt'), 'utf8')).toBe('ran\n')
    const [session] = await world.sessions()
    const lines = session === undefined ? [] : outline(session)
    expect(lines.filter((text) => text !== 'user: and then?')).toEqual(whole)
    expect(session).not.toHaveProperty('pending')
  })

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

  it('is over for a run that nobody watches: the model is told', async () => {
    const { world, screen } = await asking(inTerminalUi)
    end(world, 'SIGKILL')
    await screen.ended
    const { stdout } = await world.pipe(['-p', '-c'])
    expect(stdout).toBe('It is logged.\n')
    expect((await world.sessions()).map(outline)).toEqual([
      [...whole.slice(0, 2), expect.stringContaining('nobody can be asked'), whole[3]],
    ])
  })
})
