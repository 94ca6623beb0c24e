import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastText, say, use } from '../../support/models/replies.ts'
import { told } from '../../support/programs/told.ts'
import type { World } from '../../support/programs/world.ts'
import { serve } from '../../support/servers/web-server.ts'
import { answering, hook, openHooked } from './hooks-setup.ts'

const made = (world: World, name = 'made') => existsSync(join(world.cwd, name))

/** One hook of an event that is no command. */
function handler(fields: object, matcher = ''): readonly object[] {
  return [{ matcher, hooks: [fields] }]
}

function decision(behavior: string, more: object = {}): string {
  return answering({
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior, ...more } },
  })
}

describe('a PermissionRequest hook', () => {
  it('allows what would be asked about, and nothing that rules forbid or always ask about', async () => {
    const world = await openHooked(
      { PermissionRequest: hook(decision('allow'), {}, 'Bash') },
      { permissions: { deny: ['Bash(cp:*)'], ask: ['Bash(mkdir:*)'] } },
    )
    expect(await told(world, 'touch made')).toBe('tool: (no output)')
    expect(made(world)).toBe(true)
    expect(await told(world, 'cp made other')).toContain('Bash(cp:*) forbids it')
    expect(await told(world, 'mkdir other')).toContain('nobody can be asked')
    expect(await told(world, 'rm -rf ~')).toContain('nobody can be asked')
    expect(made(world, 'other')).toBe(false)
  })

  it('is not asked about what is allowed anyway', async () => {
    const world = await openHooked({ PermissionRequest: hook('touch asked; exit 2') })
    expect(await told(world, 'touch made', '--yolo')).toBe('tool: (no output)')
    expect(made(world, 'asked')).toBe(false)
  })

  it('refuses, and what is refused is told to PermissionDenied hooks', async () => {
    const retry = answering({ hookSpecificOutput: { hookEventName: 'PermissionDenied', retry: true } })
    const world = await openHooked({
      PermissionRequest: hook(decision('deny', { message: 'not today' })),
      PermissionDenied: hook(`cat >denied.json; ${retry}`),
    })
    expect(await told(world, 'touch made')).toBe(
      'tool: Permission denied: not today. The call was not carried out.\n\n[A hook of this run says about the call:\nIt may be tried again.\n]',
    )
    expect(JSON.parse(await readFile(join(world.cwd, 'denied.json'), 'utf8'))).toMatchObject({
      hook_event_name: 'PermissionDenied',
      tool_name: 'Bash',
      tool_input: { command: 'touch made' },
      reason: 'not today',
    })
  })

  it('does not outweigh a hook that wants the question', async () => {
    const ask = answering({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' } })
    const world = await openHooked({ PermissionRequest: hook(decision('allow')), PreToolUse: hook(ask) })
    expect(await told(world, 'touch made')).toContain('nobody can be asked')
    expect(made(world)).toBe(false)
  })

  it('sets the mode that comes with its yes, for the session, and not the mode bypass', async () => {
    const updating = (mode: string) =>
      decision('allow', { updatedPermissions: [{ type: 'setMode', mode, destination: 'session' }] })
    const world = await openHooked({ PermissionRequest: hook(updating('acceptEdits'), {}, 'Bash') })
    const write = use(['write', { path: 'b.txt', content: 'b' }])
    world.server.reply(use(['bash', { command: 'touch made' }]), write, say('Done.'))
    const run = await world.pipe(['-v', 'go'])
    expect(run.stderr).toMatch(/pipe: the hook .* sets the mode accept-edits\n/)
    expect([made(world), made(world, 'b.txt')]).toEqual([true, true])
    const bypassing = await openHooked({ PermissionRequest: hook(updating('bypassPermissions'), {}, 'Bash') })
    bypassing.server.reply(use(['bash', { command: 'touch made' }]), write, say('Done.'))
    const { stderr } = await bypassing.pipe(['-v', 'go'])
    expect(stderr).toMatch(
      /cannot set the mode bypassPermissions: only you can change from default to bypass\n/,
    )
    expect([made(bypassing), made(bypassing, 'b.txt')]).toEqual([true, false])
  })

  it('that repeats the arguments gives a permission', async () => {
    const world = await openHooked({
      PermissionRequest: hook(decision('allow', { updatedInput: { command: 'touch made' } })),
    })
    expect(await told(world, 'touch made')).toBe('tool: (no output)')
  })

  it('that would change the arguments gives no permission', async () => {
    const world = await openHooked({
      PermissionRequest: hook(decision('allow', { updatedInput: { command: 'touch other' } })),
    })
    expect(await told(world, 'touch made')).toContain('nobody can be asked')
    expect([made(world), made(world, 'other')]).toEqual([false, false])
  })
})

describe('the field if', () => {
  it('runs a hook for calls that its rule is about', async () => {
    const world = await openHooked({ PreToolUse: hook('echo no >&2; exit 2', { if: 'Bash(touch *)' }) })
    expect(await told(world, 'mkdir made', '--yolo')).toBe('tool: (no output)')
    expect(await told(world, 'true && touch other', '--yolo')).toContain('A hook refuses this call: no')
    expect(await told(world, 'eval "$(cat line)"', '--yolo')).toContain('A hook refuses this call: no')
  })
})

describe('a hook of type http', () => {
  it('is asked before a call, with the JSON of commands', async () => {
    const bodies: string[] = []
    const { url } = await serve((request, response) => {
      request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()))
      request.on('end', () => response.end(JSON.stringify({ decision: 'block', reason: 'says the server' })))
    })
    const world = await openHooked({ PreToolUse: handler({ type: 'http', url }, 'Bash') })
    expect(await told(world, 'touch made', '--yolo')).toContain('A hook refuses this call: says the server')
    expect(bodies.map((body) => JSON.parse(body))).toMatchObject([
      { hook_event_name: 'PreToolUse', tool_input: { command: 'touch made' } },
    ])
  })
})

describe('a hook of type prompt', () => {
  it('asks a model, whose cost counts in the run', async () => {
    const world = await openHooked({
      PreToolUse: handler({ type: 'prompt', prompt: 'Is this safe? $ARGUMENTS' }, 'Bash'),
    })
    const verdict = say('{"ok": false, "reason": "it is not"}')
    world.server.reply(use(['bash', { command: 'touch made' }]), verdict, say('So be it.'))
    const run = await world.pipe(['--yolo', '-o', 'json', 'go'])
    const [, question, second] = world.server.requests
    expect(question === undefined ? '' : lastText(question.body)).toMatch(
      /^user: Is this safe\? \{.*"command":"touch made"/,
    )
    expect(second === undefined ? '' : lastText(second.body)).toContain('A hook refuses this call: it is not')
    expect(made(world)).toBe(false)
    world.server.reply(say('So be it.'))
    const alone = await world.pipe(['-o', 'json', 'go'])
    const tokens = ({ stdout }: { stdout: string }) => JSON.parse(stdout).usage.output_tokens
    expect(tokens(run)).toBe(3 * tokens(alone))
  })
})

describe('a hook of type agent', () => {
  it('lets an agent that only reads look before it answers, whose cost counts in the run', async () => {
    const world = await openHooked({
      PreToolUse: handler({ type: 'agent', prompt: 'Does rules.txt allow this? $ARGUMENTS' }, 'Bash'),
    })
    await world.put('rules.txt', 'Never touch.')
    const reading = use(['read', { path: 'rules.txt' }], ['bash', { command: 'touch evil' }])
    const verdict = say('{"ok": false, "reason": "the rules forbid it"}')
    world.server.reply(use(['bash', { command: 'touch made' }]), reading, verdict, say('So be it.'))
    const run = await world.pipe(['--yolo', '-o', 'json', 'go'])
    const [, question, answered, second] = world.server.requests
    expect(question === undefined ? '' : lastText(question.body)).toMatch(
      /Does rules\.txt allow this\? \{.*"command":"touch made"/,
    )
    expect(question?.body.tools?.map((tool) => tool.function.name).toSorted()).toEqual([
      'glob',
      'grep',
      'read',
    ])
    expect(JSON.stringify(answered?.body.messages)).toContain('Never touch.')
    expect(second === undefined ? '' : lastText(second.body)).toContain(
      'A hook refuses this call: the rules forbid it',
    )
    expect([made(world), made(world, 'evil')]).toEqual([false, false])
    world.server.reply(say('So be it.'))
    const alone = await world.pipe(['-o', 'json', 'go'])
    const tokens = ({ stdout }: { stdout: string }) => JSON.parse(stdout).usage.output_tokens
    expect(tokens(run)).toBe(4 * tokens(alone))
    expect(await world.sessions()).toHaveLength(2)
  })

  it('stands before the calls of elves too, and other hooks do not see what its agent does', async () => {
    const world = await openHooked({
      PreToolUse: [
        ...handler({ type: 'agent', prompt: 'Fine?' }, 'Bash'),
        ...hook('cat >>calls; echo >>calls', {}, 'Read|Bash'),
      ],
    })
    await world.put('rules.txt', 'Never.')
    world.server.reply(
      use(['elf', { prompt: 'work', isolation: 'none' }]),
      use(['bash', { command: 'touch made' }]),
      use(['read', { path: 'rules.txt' }]),
      say('{"ok": false, "reason": "no"}'),
      say('Refused.'),
      say('End.'),
    )
    await world.pipe(['--yolo', 'go'])
    expect(made(world)).toBe(false)
    const calls = (await readFile(join(world.cwd, 'calls'), 'utf8')).trim().split('\n\n')
    expect(calls.map((line) => JSON.parse(line).tool_name)).toEqual(['Bash'])
  })

  it('that does not answer as asked has failed, and what was asked goes on', async () => {
    const world = await openHooked({ PreToolUse: handler({ type: 'agent', prompt: 'Fine?' }, 'Bash') })
    world.server.reply(use(['bash', { command: 'touch made' }]), say('Perhaps.'), say('Done.'))
    const run = await world.pipe(['--yolo', 'go'])
    expect(run.stderr).toContain('failed: the model did not answer with {"ok"')
    expect(made(world)).toBe(true)
  })
})

it('files that a SessionStart hook names are watched', async () => {
  const watchPaths = ['sub/config.json', '/nowhere/else']
  const world = await openHooked({
    SessionStart: hook(answering({ hookSpecificOutput: { hookEventName: 'SessionStart', watchPaths } })),
    FileChanged: hook('cat >>seen.json'),
  })
  expect(await told(world, 'mkdir sub; echo 1 >sub/config.json; echo 1 >other', '--yolo')).toBe(
    'tool: (no output)',
  )
  expect(JSON.parse(await readFile(join(world.cwd, 'seen.json'), 'utf8'))).toMatchObject({
    file_path: join(world.cwd, 'sub/config.json'),
    event: 'add',
  })
})

it('a FileChanged hook hears of a file that a command changes', async () => {
  const world = await openHooked({ FileChanged: hook('cat >seen.json', {}, '.env') })
  expect(await told(world, 'echo A=1 >.env', '--yolo')).toBe('tool: (no output)')
  expect(JSON.parse(await readFile(join(world.cwd, 'seen.json'), 'utf8'))).toMatchObject({
    hook_event_name: 'FileChanged',
    file_path: join(world.cwd, '.env'),
    event: 'add',
  })
})
