import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { complaint, expectRun } from '../../support/programs/program.ts'
import { openScreen } from '../../support/terminals/screen.ts'
import { aboutCall, hook, openHooked } from './hooks-setup.ts'

describe('pipe hooks test', () => {
  it('runs the hooks that a call is about, and says what their answers mean', async () => {
    const group = (matcher: string, fields: object) => ({ matcher, hooks: [{ type: 'command', ...fields }] })
    const world = await openHooked({
      PreToolUse: [
        group('Bash', { command: 'echo not now >&2; exit 2', if: 'Bash(git push *)' }),
        group('Bash', { command: aboutCall({ permissionDecision: 'allow' }), args: [] }),
        group('Edit', { command: 'touch marker' }),
        { hooks: [{ type: 'prompt', prompt: 'Is $ARGUMENTS safe?' }] },
      ],
    })
    const run = (command: string) =>
      world.pipe(['hooks', 'test', 'PreToolUse', '--tool', 'Bash', '--input', JSON.stringify({ command })])
    const pushed = await run('git push origin')
    expect(pushed.code).toBe(50)
    expect(pushed.stdout).toMatch(
      /^stdin: \{.*"tool_name":"Bash","tool_input":\{"command":"git push origin"\}/,
    )
    expect(pushed.stdout).toMatch(/exit 2, after \d+ ms\n {2}stderr: not now\n {2}means: refuses: not now\n/)
    const listed = await run('ls')
    expect(listed.code).toBe(0)
    expect(listed.stdout).not.toContain('not now')
    expect(listed.stdout).toContain('a test asks no model; it would be asked: Is {')
    expect(existsSync(join(world.cwd, 'marker'))).toBe(false)
    expect(world.server.requests).toEqual([])
  })

  it('says which variables a hook would set for commands, and leaves no file behind', async () => {
    const world = await openHooked({
      SessionStart: hook(
        `printf 'export STAGE="a b"\nLD_PRELOAD=./x.so\n' >>"$CLAUDE_ENV_FILE"; echo "$CLAUDE_ENV_FILE" >place`,
      ),
    })
    const { code, stdout } = await world.pipe(['hooks', 'test', 'SessionStart'])
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /\n {2}means: sets for commands: STAGE=a b\n {2}means: tells you: the hook .* cannot set LD_PRELOAD for commands\n$/,
      ),
    ])
    const place = (await readFile(join(world.cwd, 'place'), 'utf8')).trim()
    expect([place.startsWith('/'), existsSync(dirname(place))]).toEqual([true, false])
  })

  it('runs nothing of a project that was not approved', async () => {
    const world = await openHooked({})
    await world.put('.codex/hooks.json', JSON.stringify({ hooks: { Stop: hook('touch marker') } }))
    expectRun(await world.pipe(['hooks', 'test', 'Stop']), {
      stdout: expect.stringMatching(/^stdin: [^\n]*\n$/),
      stderr: expect.stringContaining('hooks of this project are not approved: run pipe trust'),
    })
    expect(existsSync(join(world.cwd, 'marker'))).toBe(false)
  })

  it('runs and lists those that --settings brings, and none with --bare but these', async () => {
    const world = await openHooked({ Stop: hook('echo usual') })
    const settings = JSON.stringify({ hooks: { Stop: hook('echo brought') } })
    const both = await world.pipe(['hooks', 'list', '--settings', settings])
    expect(both.stdout).toMatch(/Stop .*runs .*echo usual\n[\s\S]*Stop .*runs .*--settings .*echo brought/)
    const bare = await world.pipe(['hooks', 'list', '--bare', '--settings', settings])
    expect(bare.stdout).toContain('echo brought')
    expect(bare.stdout).not.toContain('echo usual')
    const tried = await world.pipe(['hooks', 'test', 'Stop', '--settings', settings])
    expect(tried.stdout).toContain('brought')
  })

  it('names the events, and what is missing', async () => {
    const world = await openHooked({})
    const told = [
      [['Nope'], 'there is no event "Nope"'],
      [['PreToolUse'], 'PreToolUse is about a call'],
      [['Stop', '--input', '7'], '--input is not a JSON object'],
    ] as const
    for (const [words, text] of told)
      expectRun(await world.pipe(['hooks', 'test', ...words]), {
        code: 2,
        stdout: '',
        stderr: complaint(text),
      })
  })
})

describe('/hooks', () => {
  it('shows the hooks of --settings, and none that --bare leaves out', async () => {
    const world = await openHooked({ Stop: hook('echo own') })
    const settings = JSON.stringify({ hooks: { Stop: hook('echo given') } })
    const line = `TERM=dumb pipe --bare --settings '${settings}'`
    const screen = openScreen(world, line, { columns: 100, rows: 30 })
    await screen.until(/>\s*$/)
    screen.type('/hooks\r')
    await screen.until(/Stop[\s\S]*>\s*$/)
    expect(screen.text()).toContain('echo given')
    expect(screen.text()).not.toContain('echo own')
    screen.type('\u0004')
    await screen.ended
  })
})
