import { describe, expect, it } from 'vitest'
import { nameOf } from '../../src/hooks/hook.ts'
import { readHooks } from '../../src/hooks/read-hooks.ts'

const usual = {
  event: 'PreToolUse',
  matcher: '',
  timeoutMs: 600_000,
  once: false,
  async: false,
  blocksOnFailure: false,
  source: 'a.json',
}

function read(hooks: unknown) {
  return readHooks({ PreToolUse: hooks }, 'a.json')
}

describe('hooks of a file', () => {
  it('are read with their defaults', () => {
    expect(read([{ hooks: [{ type: 'command', command: 'check' }] }])).toEqual({
      hooks: [{ ...usual, handler: { type: 'command', command: 'check' } }],
      problems: [],
    })
  })

  it('are read with all fields, and those that say nothing about when they run', () => {
    const fields = {
      type: 'command',
      command: 'check',
      args: ['a', '$b'],
      timeout: 0.5,
      once: true,
      async: true,
      onFailure: 'block',
      if: 'Edit(*.ts)',
      statusMessage: 'checking',
    }
    expect(read([{ matcher: 'Edit|Write', hooks: [fields] }])).toEqual({
      hooks: [
        {
          ...usual,
          matcher: 'Edit|Write',
          handler: { type: 'command', command: 'check', args: ['a', '$b'] },
          timeoutMs: 500,
          once: true,
          async: true,
          blocksOnFailure: true,
          condition: 'Edit(*.ts)',
          status: 'checking',
        },
      ],
      problems: [],
    })
  })

  it('never wait longer than an hour', () => {
    const { hooks } = read([{ hooks: [{ type: 'command', command: 'check', timeout: 1e9 }] }])
    expect(hooks.map(({ timeoutMs }) => timeoutMs)).toEqual([3_600_000])
  })

  it.each([
    [7, 'hooks: expected an object'],
    [{ Setup: [] }, 'hooks.Setup: this event is not supported, so its hooks do not run'],
    [
      { 'Forged\nline: ': [] },
      'hooks."Forged\\nline: ": this event is not supported, so its hooks do not run',
    ],
    [{ Stop: {} }, 'hooks.Stop: expected a list of groups'],
    [{ Stop: [7] }, 'hooks.Stop: expected a matcher and a list of hooks'],
    [{ Stop: [{ matcher: 7, hooks: [] }] }, 'hooks.Stop: expected a text as the matcher'],
    [{ Stop: [{ hooks: [7] }] }, 'hooks.Stop: expected an object as the hook'],
    [
      { Stop: [{ hooks: [{ type: 'oracle', prompt: 'Is all done?' }] }] },
      'hooks.Stop: hooks of type oracle are not supported, so this one does not run',
    ],
    [
      { SessionEnd: [{ hooks: [{ type: 'prompt', prompt: 'Is all done?' }] }] },
      'hooks.SessionEnd: an answer of a model has no effect at this event, so the hook does not run',
    ],
    [
      { CwdChanged: [{ hooks: [{ type: 'command', command: 'x' }] }] },
      'hooks.CwdChanged: the working folder does not change in a run, so its hooks do not run',
    ],
    [
      { SessionStart: [{ hooks: [{ type: 'agent', prompt: 'Is all done?' }] }] },
      'hooks.SessionStart: an answer of a model has no effect at this event, so the hook does not run',
    ],
    [
      { Stop: [{ hooks: [{ type: 'command', command: ' ' }] }] },
      'hooks.Stop: the hook does not run: command is not as expected',
    ],
    [
      { Stop: [{ hooks: [{ type: 'command', command: 'x', timeout: 'long', once: 1 }] }] },
      'hooks.Stop: the hook does not run: timeout, once is not as expected',
    ],
    [
      { Stop: [{ hooks: [{ type: 'http', url: 'http://example.com/hook' }] }] },
      'hooks.Stop: the hook does not run: its URL is neither https nor on this machine',
    ],
    [
      { Stop: [{ hooks: [{ type: 'command', command: 'x', if: 'Bash(rm *)' }] }] },
      'hooks.Stop: the field if is about calls of tools, so the hook does not run',
    ],
    [
      { Stop: [{ hooks: [{ type: 'command', command: 'dir', shell: 'powershell' }] }] },
      'hooks.Stop: the hook does not run: the shell is bash, not powershell',
    ],
    [
      { Stop: [{ if: 'Bash(rm:*)', hooks: [] }] },
      'hooks.Stop: the field if is not supported, so what it belongs to does not run',
    ],
  ])('that are not understood are named: %j', (value, problem) => {
    expect(readHooks(value, 'a.json')).toEqual({ hooks: [], problems: [`a.json: ${problem}`] })
  })

  it('run although others beside them do not', () => {
    const { hooks, problems } = read([
      { matcher: '[', hooks: [{ type: 'command', command: 'never' }] },
      { hooks: [{ type: 'http' }, { type: 'command', command: 'check' }] },
    ])
    expect(hooks.map(nameOf)).toEqual(['check'])
    expect(problems).toHaveLength(2)
  })
})

it('a hook is named by its command in one short line', () => {
  const named = (command: string, args: readonly string[] = []) =>
    nameOf({ handler: { type: 'command', command, args } })
  expect(named('a\n  b', ['c'])).toBe('a b c')
  expect(named('x'.repeat(100))).toBe(`${'x'.repeat(79)}…`)
})
