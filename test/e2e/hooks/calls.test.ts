import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { say, use } from '../../support/models/replies.ts'
import { isAlive } from '../../support/programs/processes.ts'
import { expectRun } from '../../support/programs/program.ts'
import { told } from '../../support/programs/told.ts'
import type { World } from '../../support/programs/world.ts'
import { aboutCall, answering, hook, openHooked } from './hooks-setup.ts'

const made = (world: World, name = 'made') => existsSync(join(world.cwd, name))

async function written(world: World, name: string) {
  return JSON.parse(await readFile(join(world.cwd, name), 'utf8'))
}

describe('a PreToolUse hook', () => {
  it('that exits with 2 refuses a call, in any mode', async () => {
    const world = await openHooked({ PreToolUse: hook('echo no touching >&2; exit 2', {}, 'Bash') })
    expect(await told(world, 'touch made', '--yolo')).toBe(
      'tool: A hook refuses this call: no touching\nThe call was not carried out.',
    )
    expect(made(world)).toBe(false)
  })

  it('of another tool is not run', async () => {
    const world = await openHooked({ PreToolUse: hook('exit 2', {}, 'Edit|Write') })
    expect(await told(world, 'echo ran', '--yolo')).toBe('tool: ran')
  })

  it('gets the call in the words that agents share', async () => {
    const world = await openHooked({ PreToolUse: hook('cat >seen.json') })
    world.server.reply(use(['edit', { path: 'a.txt', old_text: 'a', new_text: 'b' }]), say('Done.'))
    await world.put('a.txt', 'a')
    await world.pipe(['--permission-mode', 'accept-edits', 'go'])
    const [session] = await world.sessions()
    expect(await written(world, 'seen.json')).toEqual({
      session_id: session?.id,
      transcript_path: join(world.home, 'sessions', `${session?.id}.files`, `${session?.id}.jsonl`),
      cwd: world.cwd,
      permission_mode: 'acceptEdits',
      hook_event_name: 'PreToolUse',
      tool_name: 'Edit',
      tool_input: { file_path: join(world.cwd, 'a.txt'), old_string: 'a', new_string: 'b' },
      tool_use_id: expect.any(String),
    })
  })

  it('reads the session as other agents write theirs, with the call itself', async () => {
    const path = `node -p 'JSON.parse(fs.readFileSync(0)).transcript_path'`
    const copy = `cp "$(${path})" seen.jsonl`
    const world = await openHooked({ PreToolUse: hook(copy) })
    expect(await told(world, 'echo ran', '--yolo')).toBe('tool: ran')
    const lines = (await readFile(join(world.cwd, 'seen.jsonl'), 'utf8')).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { type: 'user', message: { role: 'user', content: expect.any(String) } },
      { type: 'assistant', message: { content: [{ type: 'tool_use', name: 'Bash' }] } },
    ])
  })

  it('may allow what the rules ask about, and nothing that they forbid', async () => {
    const allow = aboutCall({ permissionDecision: 'allow', permissionDecisionReason: 'all is well' })
    const world = await openHooked({ PreToolUse: hook(allow) }, { permissions: { deny: ['Bash(rm:*)'] } })
    expect(await told(world, 'touch made')).toBe('tool: (no output)')
    expect(made(world)).toBe(true)
    expect(await told(world, 'rm made')).toContain('Permission denied: Bash(rm:*) forbids it')
    expect(made(world)).toBe(true)
  })

  it('allows nothing that an ask rule is about, and nothing in plan mode', async () => {
    const allow = aboutCall({ permissionDecision: 'allow' })
    const world = await openHooked({ PreToolUse: hook(allow) }, { permissions: { ask: ['Bash(touch:*)'] } })
    expect(await told(world, 'touch made')).toContain('nobody can be asked')
    expect(await told(world, 'mkdir made', '--permission-mode', 'plan')).toContain('plan mode only reads')
    expect(made(world)).toBe(false)
  })

  it('may ask about what the mode allows', async () => {
    const ask = aboutCall({ permissionDecision: 'ask', permissionDecisionReason: 'look at it first' })
    const world = await openHooked({ PreToolUse: hook(ask) })
    expect(await told(world, 'touch made', '--yolo')).toContain('look at it first, and nobody can be asked')
    expect(made(world)).toBe(false)
  })

  it('may change the arguments, which are judged then', async () => {
    const change = (command: string) => aboutCall({ permissionDecision: 'allow', updatedInput: { command } })
    const rules = { permissions: { deny: ['Bash(touch forbidden)'] } }
    const denied = await openHooked({ PreToolUse: hook(change('touch forbidden')) }, rules)
    expect(await told(denied, 'echo harmless', '--yolo')).toContain('Bash(touch forbidden) forbids it')
    expect(made(denied, 'forbidden')).toBe(false)
    const allowed = await openHooked({ PreToolUse: hook(change('echo changed')) }, rules)
    expect(await told(allowed, 'touch made')).toBe('tool: changed')
    expect(made(allowed)).toBe(false)
  })

  it('sees what another one has changed', async () => {
    const world = await openHooked({
      PreToolUse: [
        ...hook('grep -q evil && { echo evil >&2; exit 2; }; exit 0'),
        ...hook(aboutCall({ updatedInput: { command: 'touch made # evil' } })),
      ],
    })
    expect(await told(world, 'echo good', '--yolo')).toContain('A hook refuses this call: evil')
    expect(made(world)).toBe(false)
  })

  it('changes a path under its own name for it', async () => {
    const world = await openHooked({
      PreToolUse: hook(
        aboutCall({ updatedInput: { file_path: 'b.txt', content: 'from the hook' } }),
        {},
        'Write',
      ),
    })
    world.server.reply(use(['write', { path: 'a.txt', content: 'one' }]), say('Done.'))
    await world.pipe(['--yolo', 'go'])
    expect(made(world, 'a.txt')).toBe(false)
    expect(await readFile(join(world.cwd, 'b.txt'), 'utf8')).toBe('from the hook')
  })

  it('sees where the desktop of the user is, and no key', async () => {
    const world = await openHooked({ PreToolUse: hook('env >seen.env') })
    world.server.reply(use(['bash', { command: 'true' }]), say('Done.'))
    await world.pipe(['--yolo', 'go'], {
      env: {
        OPENAI_API_KEY: 'sk-secret',
        LANG: 'C.UTF-8',
        MY_VALUE: 'x',
        XDG_RUNTIME_DIR: '/run/user/1',
        DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1/bus',
        MY_DISPLAY: ':1',
      },
    })
    const seen = await readFile(join(world.cwd, 'seen.env'), 'utf8')
    const names = seen.split('\n').flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? [])
    // The shell itself sets PWD, OLDPWD, SHLVL and _.
    const own = names.filter((name) => !['PWD', 'OLDPWD', 'SHLVL', '_'].includes(name)).sort()
    expect(own).toEqual(
      'CLAUDE_PROJECT_DIR DBUS_SESSION_BUS_ADDRESS HOME LANG PATH PIPE_PROJECT_DIR TMPDIR XDG_RUNTIME_DIR'.split(
        ' ',
      ),
    )
    expect(seen).not.toContain('sk-secret')
  })

  it.each([
    ['exits with 1', 'echo broken >&2; exit 1', 'it exited with 1: broken'],
    ['prints broken JSON', 'echo "{nonsense"', 'its output is not the JSON that hooks answer with'],
    ['does not exist', 'no-such-program-here', 'it exited with 127'],
  ])('that %s is told, and the call runs unless the hook says otherwise', async (_, command, reason) => {
    const world = await openHooked({ PreToolUse: hook(command) })
    world.server.reply(use(['bash', { command: 'touch made' }]), say('Done.'))
    const run = await world.pipe(['--yolo', 'go'])
    expect(run.stderr).toContain(reason)
    expect(made(world)).toBe(true)
    const strict = await openHooked({ PreToolUse: hook(command, { onFailure: 'block' }) })
    expect(await told(strict, 'touch made', '--yolo')).toContain(reason)
    expect(made(strict)).toBe(false)
  })

  it('that does not end is ended with its children', async () => {
    const command = 'sleep 300 & echo $! >pid; wait'
    const world = await openHooked({ PreToolUse: hook(command, { timeout: 0.5, onFailure: 'block' }) })
    expect(await told(world, 'touch made', '--yolo')).toContain('it did not finish in time')
    const pid = Number(await readFile(join(world.cwd, 'pid'), 'utf8'))
    expect(isAlive(pid)).toBe(false)
    expect(made(world)).toBe(false)
  })

  it('that nothing waits for is gone at the end of the run', async () => {
    const world = await openHooked({ PreToolUse: hook('echo $$ >pid; sleep 300', { async: true }) })
    expect(await told(world, 'until [ -s pid ]; do sleep 0.01; done', '--yolo')).toBe('tool: (no output)')
    const pid = Number(await readFile(join(world.cwd, 'pid'), 'utf8'))
    expect(isAlive(pid)).toBe(false)
  })

  it('may end the turn', async () => {
    const world = await openHooked({ PreToolUse: hook(answering({ continue: false, stopReason: 'enough' })) })
    world.server.reply(use(['bash', { command: 'touch made' }]))
    const run = await world.pipe(['--yolo', 'go'])
    expectRun(run, { code: 45, stdout: '', stderr: expect.stringContaining('a hook ends the turn: enough') })
    expect(made(world)).toBe(false)
  })

  it('is in the audit log', async () => {
    const world = await openHooked({ PreToolUse: hook('echo no >&2; exit 2') })
    await told(world, 'touch made', '--yolo')
    const { stdout } = await world.pipe(['audit', 'export', '--json'])
    const { entries } = JSON.parse(stdout)
    const ran = entries.filter(({ decision }: { readonly decision: string }) => decision === 'hook_ran')
    expect(ran.map(({ audit }: { readonly audit: unknown }) => audit)).toEqual([
      {
        actor: 'agent_pipe',
        event: 'PreToolUse',
        command: 'echo no >&2; exit 2',
        source: join(world.home, 'config.json'),
        outcome: 'block',
        exit_code: 2,
        duration_ms: expect.any(Number),
        call_id: expect.any(String),
        reason: 'no',
      },
    ])
    const denied = entries.filter(
      ({ decision }: { readonly decision: string }) => decision === 'permission_denied',
    )
    expect(denied).toHaveLength(1)
  })
})

describe('a PostToolUse hook', () => {
  it('adds to the result of a call that ran, and to no other', async () => {
    const world = await openHooked(
      { PostToolUse: hook('cat >seen.json; echo run the tests >&2; exit 2') },
      { permissions: { deny: ['Bash(rm:*)'] } },
    )
    expect(await told(world, 'rm x', '--yolo')).toContain('forbids it')
    expect(made(world, 'seen.json')).toBe(false)
    expect(await told(world, 'echo out', '--yolo')).toBe(
      'tool: out\n\n[A hook of this run says about the call:\nrun the tests\n]',
    )
    expect(await written(world, 'seen.json')).toMatchObject({
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'echo out' },
    })
  })

  it('gets what a command printed, and what other tools return', async () => {
    const world = await openHooked({ PostToolUse: hook('cat >seen.json') })
    const response = async () => (await written(world, 'seen.json')).tool_response
    await told(world, 'printf out; printf odd >&2', '--yolo')
    const printed = { stderr: '', interrupted: false, isImage: false, is_error: false, success: true }
    expect(await response()).toEqual({ stdout: 'outodd', ...printed })
    await told(world, 'true', '--yolo')
    expect(await response()).toEqual({ stdout: '', ...printed })
    await world.put('a.txt', 'a')
    world.server.reply(use(['glob', { pattern: '*.txt' }]), say('Done.'))
    await world.pipe(['go'])
    expect(await response()).toEqual({
      content: [{ type: 'text', text: 'a.txt' }],
      is_error: false,
      success: true,
    })
  })

  it('has another name for calls that fail', async () => {
    const world = await openHooked({ PostToolUse: hook('touch good'), PostToolUseFailure: hook('touch bad') })
    await told(world, 'exit 3', '--yolo')
    expect([made(world, 'good'), made(world, 'bad')]).toEqual([false, true])
  })
})
