import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { outlineRequest, say } from '../../support/models/replies.ts'
import { isAlive } from '../../support/programs/processes.ts'
import { expectRun } from '../../support/programs/program.ts'
import { openPrompt } from '../../support/terminals/screen.ts'
import { hasTerminal, openTerminal } from '../../support/terminals/terminal.ts'
import { answering, hook, openHooked } from './hooks-setup.ts'

describe('a UserPromptSubmit hook', () => {
  it('refuses a prompt, which is neither sent nor kept', async () => {
    const world = await openHooked({
      UserPromptSubmit: hook('grep -q secret && { echo "no secrets" >&2; exit 2; }; exit 0'),
    })
    expectRun(await world.pipe(['tell a secret']), {
      code: 45,
      stdout: '',
      stderr: expect.stringContaining('a hook refuses this prompt: no secrets'),
    })
    expect(world.server.requests).toEqual([])
    expect(await world.sessions()).toEqual([])
    world.server.reply(say('Hello.'))
    expectRun(await world.pipe(['hello']), { stdout: 'Hello.\n' })
  })

  it('says why in the JSON of a run', async () => {
    const world = await openHooked({
      UserPromptSubmit: hook(answering({ decision: 'block', reason: 'not today' })),
    })
    const run = await world.pipe(['-o', 'json', 'hello'])
    expect(run.code).toBe(45)
    expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: 'permission' } })
  })

  it('adds text for the model before the prompt, and so does a SessionStart hook, once', async () => {
    const world = await openHooked({
      SessionStart: hook('cat >start.json; echo from the start'),
      UserPromptSubmit: hook(
        answering({
          hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'from the prompt' },
        }),
      ),
    })
    world.server.reply(say('Hello.'), say('Again.'))
    expectRun(await world.pipe(['hello']), { stdout: 'Hello.\n' })
    const text =
      '<hook_context>\nPrograms that the user set up add this:\nfrom the start\nfrom the prompt\n</hook_context>'
    const [first] = world.server.requests
    const sent = first === undefined ? '' : (outlineRequest(first.body).at(-1) ?? '')
    expect(sent).toContain(`${text}\n`)
    expect(sent.endsWith('hello')).toBe(true)
    const start = JSON.parse(await readFile(join(world.cwd, 'start.json'), 'utf8'))
    expect(start).toMatchObject({ hook_event_name: 'SessionStart', source: 'startup' })
    const list = await world.pipe(['sessions', 'list'])
    expect(list.stdout).toContain('hello')
    expect(list.stdout).not.toContain('from the')
    await world.pipe(['-c', 'again'])
    expect(JSON.parse(await readFile(join(world.cwd, 'start.json'), 'utf8'))).toMatchObject({
      source: 'resume',
    })
  })

  it('shows the user a message', async () => {
    const world = await openHooked({
      UserPromptSubmit: hook(answering({ systemMessage: 'mind the \u001b[31mgap' })),
    })
    world.server.reply(say('Hello.'))
    const run = await world.pipe(['hello'])
    expect(run.stderr).toContain('mind the gap')
  })
})

describe.skipIf(!hasTerminal)('a refused prompt on a terminal', () => {
  const refusing = () =>
    openHooked({ UserPromptSubmit: hook('grep -q secret && { echo "no secrets" >&2; exit 2; }; exit 0') })
  const told = 'a hook refuses this prompt: no secrets'

  it('is told once, and comes back to be changed', async () => {
    const world = await refusing()
    world.server.reply(say('Hello.'))
    const screen = await openPrompt(world, { columns: 80, rows: 24 })
    screen.type('a secret\r')
    await screen.until(new RegExp(`${told}[^]*› a secret`))
    expect(screen.text().split(told)).toHaveLength(2)
    screen.type('\x15hello\r')
    await screen.until(/Hello\./)
  })

  it('is told line by line too', async () => {
    const world = await refusing()
    world.server.reply(say('Hello.'))
    const terminal = await openTerminal(world, 'TERM=dumb pipe')
    await terminal.until(/>$/)
    await terminal.line('a secret')
    await terminal.until(new RegExp(`pipe: ${told}\\n>$`))
    await terminal.line('hello')
    await terminal.until(/Hello\.\n>$/)
  })
})

describe('a Stop hook', () => {
  it('lets the turn go on with its reason, until it is content', async () => {
    const world = await openHooked({
      Stop: hook('cat >>seen; [ "$(wc -l <seen)" -gt 2 ] && exit; echo "tests are missing" >&2; exit 2'),
    })
    world.server.reply(say('Done.'), say('Still none.'), say('Now with tests.'))
    const run = await world.pipe(['go'])
    expectRun(run, { stdout: expect.stringContaining('Now with tests.\n'), stderr: expect.any(String) })
    const [, second] = world.server.requests
    expect(second === undefined ? '' : outlineRequest(second.body).at(-1)).toBe(
      'user: A hook of this run does not let the turn end yet:\ntests are missing',
    )
    const seen = (await readFile(join(world.cwd, 'seen'), 'utf8')).trim().split('\n')
    expect(seen.map((line) => JSON.parse(line))).toMatchObject([
      { stop_hook_active: false, last_assistant_message: 'Done.' },
      { stop_hook_active: true, last_assistant_message: 'Still none.' },
      { stop_hook_active: true, last_assistant_message: 'Now with tests.' },
    ])
  })
})

describe('a SessionEnd hook', () => {
  it('runs when the conversation is closed', async () => {
    const world = await openHooked({ SessionEnd: hook('cat >end.json') })
    world.server.reply(say('Hello.'))
    await world.pipe(['hello'])
    expect(JSON.parse(await readFile(join(world.cwd, 'end.json'), 'utf8'))).toMatchObject({
      hook_event_name: 'SessionEnd',
      reason: 'other',
    })
  })
})

it('an interrupt ends a hook with its children', async () => {
  const world = await openHooked({ UserPromptSubmit: hook('sleep 300 & echo $! >pid; wait') })
  const running = world.start(['hello'])
  const file = join(world.cwd, 'pid')
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8'), { timeout: 10_000 }).toMatch(/\d\n/)
  running.kill('SIGINT')
  const { code } = await running.ended
  expect(code).toBe(130)
  expect(isAlive(Number(readFileSync(file, 'utf8')))).toBe(false)
})

it.skipIf(!hasTerminal)('the screen says what a hook does while the turn waits for it', async () => {
  const wait = 'until [ -e go ]; do sleep 0.02; done'
  const world = await openHooked({
    UserPromptSubmit: hook(wait, { statusMessage: 'Looking at the prompt' }),
    Stop: hook('until [ -e end ]; do sleep 0.02; done', { statusMessage: 'Running the tests' }),
  })
  world.server.reply(say('Hello.'))
  const screen = await openPrompt(world, { columns: 80, rows: 24 })
  screen.type('hi\r')
  await screen.until(/Looking at the prompt/)
  await world.put('go', '')
  await screen.until(/Hello\.[\s\S]*Running the tests/)
  await world.put('end', '')
  await screen.until(/^(?![\s\S]*Running the tests)[\s\S]*Hello\./)
})

it('a SessionStart hook knows a conversation that follows /clear', async () => {
  const world = await openHooked({ SessionStart: hook('cat >seen; echo anew', {}, 'clear') })
  world.server.reply(say('Hello.'), say('Again.'))
  const terminal = await openTerminal(world, 'TERM=dumb pipe')
  await terminal.until(/>$/)
  await terminal.line('hello')
  await terminal.until(/Hello\.\n>$/)
  await terminal.line('/clear')
  await terminal.until(/>$/)
  await terminal.line('again')
  await terminal.until(/Again\.\n>$/)
  const texts = world.server.requests.map(({ body }) => outlineRequest(body).join('\n'))
  expect(texts.map((text) => text.includes('anew'))).toEqual([false, true])
  expect(JSON.parse(await readFile(join(world.cwd, 'seen'), 'utf8'))).toMatchObject({ source: 'clear' })
})
