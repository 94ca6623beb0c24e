import { existsSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { judgedCall } from '../../src/cli/commands/permissions/permission-call.ts'
import { isAlive, untilGone } from '../support/programs/processes.ts'
import { thrown } from '../support/thrown.ts'
import { onCall, openRunner } from './runner.ts'

const never = new AbortController().signal
const call = { event: 'PreToolUse', names: ['Bash'], input: { tool_name: 'Bash' } } as const

async function open(...given: Parameters<typeof openRunner>) {
  const opened = await openRunner(...given)
  onTestFinished(async () => {
    await opened.runner.close()
    await opened.commands.close()
  })
  const ask = async (signal = never) => {
    const answers = await opened.runner.run(call, signal)
    return answers.map(({ answer }) => answer)
  }
  const text = (name: string) => readFile(join(opened.cwd, name), 'utf8')
  return { ...opened, ask, text }
}

describe('a hook', () => {
  it('reads the event from stdin', async () => {
    const { ask, text } = await open(onCall('cat >seen'))
    expect(await ask()).toEqual([{ notices: [], failed: false }])
    expect(JSON.parse(await text('seen'))).toEqual({
      session_id: 's1',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
    })
  })

  it('need not read it', async () => {
    const { runner } = await open(onCall('exec 0<&-; echo no >&2; exit 2'))
    const input = { tool_name: 'x'.repeat(1_000_000) }
    const answers = await runner.run({ ...call, input }, never)
    expect(answers.map(({ answer }) => answer.block)).toEqual(['no'])
  })

  it('with arguments is a program without a shell', async () => {
    const { runner, cwd, text } = await open(
      onCall('./own', { args: ['$HOME; echo', `${'$'}{CLAUDE_PROJECT_DIR}/x`] }),
    )
    const path = join(cwd, 'own')
    await writeFile(path, '#!/bin/sh\nprintf "%s\\n" "$@" >seen\n')
    await chmod(path, 0o755)
    await runner.run(call, never)
    expect(await text('seen')).toBe('$HOME; echo\n/the/project/x\n')
  })

  it('is a line of bash if it says so', async () => {
    const { runner, text } = await open(onCall('[[ $BASH_VERSION ]] && echo yes >seen', { shell: 'bash' }))
    await runner.run(call, never)
    expect(await text('seen')).toBe('yes\n')
  })

  it('whose program does not exist has failed', async () => {
    const { ask } = await open(onCall('no-such-program-here', { args: [] }))
    expect(await ask()).toEqual([
      {
        notices: ['the hook no-such-program-here (PreToolUse) failed: there is no such program'],
        failed: true,
      },
    ])
  })

  it('that writes without end fills no memory, and is ended', async () => {
    const { ask } = await open(onCall('yes', { timeout: 0.3 }))
    const [answer] = await ask()
    expect(answer?.notices).toEqual(['the hook yes (PreToolUse) failed: it did not finish in time'])
  })

  it('is heard though its answer is long, and refuses the call if it is too long to be read', async () => {
    const answering = (bytes: number) =>
      `printf '{"decision": "block", "reason": "no", "more": "'; head -c ${bytes} /dev/zero | tr '\\0' x; echo '"}'`
    const answers = [100_000, 2_000_000].map(async (bytes) => {
      const { ask } = await open(onCall(answering(bytes)))
      return (await ask())[0]?.block
    })
    expect(await Promise.all(answers)).toEqual(['no', expect.stringContaining('more than 1 MiB')])
  })

  it('complains in 64 KiB', async () => {
    const { ask } = await open(onCall('head -c 100000 /dev/zero | tr "\\0" x >&2; exit 2'))
    const [answer] = await ask()
    expect(answer?.block).toBe('x'.repeat(65_536))
  })

  it('that prints 100 MB is read to its end', async () => {
    const { ask } = await open(onCall('head -c 100000000 /dev/zero; exit 2'))
    const [answer] = await ask()
    expect(answer?.block).toMatch(/^the hook head .* refuses it$/)
  })

  it('that leaves a child with its output behind is not waited for, and the child is ended', async () => {
    const { ask, commands, text } = await open(onCall('sleep 300 & echo $! >pid; echo no >&2; exit 2'))
    const [answer] = await ask()
    expect(answer?.block).toBe('no')
    await commands.close()
    expect(isAlive(Number(await text('pid')))).toBe(false)
  })

  it('whose condition the call does not meet is not run', async () => {
    const asked: unknown[] = []
    const isCovered = (...given: readonly unknown[]) => Promise.resolve(asked.push(given) > 1)
    const { runner } = await open(onCall('exit 2', { if: 'Bash(git push *)' }), { isCovered })
    const { tool } = judgedCall('bash', {})
    const about = { tool, args: { command: 'ls' } }
    expect(await runner.run({ ...call, call: about }, never)).toEqual([])
    expect(await runner.run({ ...call, call: about }, never)).toHaveLength(1)
    expect(asked[0]).toEqual(['Bash(git push *)', about])
  })

  it('that runs once runs once', async () => {
    const { ask, text } = await open(onCall('echo ran >>seen', { once: true }))
    await Promise.all([ask(), ask()])
    await ask()
    expect(await text('seen')).toBe('ran\n')
  })

  it('ends with its children when the turn is interrupted', async () => {
    const { ask, cwd, text } = await open(onCall('sleep 300 & echo $! $$ >pids; wait'))
    const controller = new AbortController()
    const asked = thrown(() => ask(controller.signal))
    await vi.waitUntil(async () => existsSync(join(cwd, 'pids')) && (await text('pids')).endsWith('\n'))
    controller.abort()
    expect(await asked).toMatchObject({ code: 'aborted' })
    await untilGone(...(await text('pids')).split(/\s+/).filter(Boolean).map(Number))
  })

  it('that ignores TERM is killed', async () => {
    const { ask, text } = await open(
      onCall("trap '' TERM; echo $$ >pid; while :; do sleep 0.1; done", { timeout: 0.3 }),
    )
    await ask()
    expect(isAlive(Number(await text('pid')))).toBe(false)
  })
})

describe('hooks of one event', () => {
  it('run side by side, and answer in their order', async () => {
    const wait = (mine: string, other: string) =>
      `touch ${mine}; until [ -e ${other} ]; do sleep 0.01; done; echo ${mine} >&2; exit 2`
    const hooks = [wait('a', 'b'), wait('b', 'a')].map((command) => ({ type: 'command', command }))
    const { ask } = await open({ PreToolUse: [{ hooks }] })
    expect((await ask()).map(({ block }) => block)).toEqual(['a', 'b'])
  })

  it('run if their matcher is about it', async () => {
    const { ask } = await open({
      PreToolUse: ['Bash', 'Edit', 'B.*', '^(a+)+$'].map((matcher) => ({
        matcher,
        hooks: [{ type: 'command', command: `echo '${matcher}' >&2; exit 2` }],
      })),
      Stop: [{ hooks: [{ type: 'command', command: 'exit 2' }] }],
    })
    expect((await ask()).map(({ block }) => block)).toEqual(['Bash', 'B.*'])
  })
})

describe('a hook that nothing waits for', () => {
  it('tells you and the model later', async () => {
    const answer = { systemMessage: 'checked', hookSpecificOutput: { additionalContext: 'all is well' } }
    const { ask, runner, entries } = await open(onCall(`echo '${JSON.stringify(answer)}'`, { async: true }))
    expect(await ask()).toEqual([])
    await vi.waitUntil(() => entries.length === 1)
    await vi.waitUntil(() => runner.takeTold().includes('checked'))
    expect(runner.takeLate()).toEqual(['all is well'])
    expect(runner.takeLate()).toEqual([])
  })

  it('has no say, and its failure is told later', async () => {
    const { ask, runner } = await open(onCall('echo no >&2; exit 2', { async: true }))
    expect(await ask()).toEqual([])
    const failing = await open(onCall('exit 3', { async: true }))
    expect(await failing.ask()).toEqual([])
    await vi.waitUntil(() => failing.entries.length === 1)
    expect(failing.runner.takeTold()).toEqual(['the hook exit 3 (PreToolUse) failed: it exited with 3'])
    expect(runner.takeTold()).toEqual([])
  })

  it('ends when the conversation is closed', async () => {
    const { ask, runner, commands, cwd, text } = await open(
      onCall('echo $$ >pid; sleep 300', { async: true }),
    )
    await ask()
    await vi.waitUntil(async () => existsSync(join(cwd, 'pid')) && (await text('pid')).endsWith('\n'))
    await runner.close()
    await commands.close()
    expect(isAlive(Number(await text('pid')))).toBe(false)
  })
})

it('each run of a hook is in the audit log', async () => {
  const { runner, entries } = await open(
    onCall(
      `echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "ls"}}}'`,
    ),
  )
  await runner.run({ ...call, callId: 'call_1' }, never)
  expect(entries).toEqual([
    {
      decision: 'hook_ran',
      actor: 'agent_pipe',
      audit: {
        event: 'PreToolUse',
        command: expect.stringMatching(/^echo .*…$/),
        source: 'settings',
        outcome: 'continue',
        exit_code: 0,
        duration_ms: expect.any(Number),
        call_id: 'call_1',
        updated_input: { command: 'ls' },
      },
    },
  ])
})

it('what a hook does is said while it runs, in one clean line', async () => {
  const status = 'Checking\u001b[31m the\ncall'
  const { runner, ask, cwd } = await open(
    onCall('touch begun; until [ -e go ]; do sleep 0.01; done', { statusMessage: status }),
  )
  expect(runner.work).toBeUndefined()
  const asked = ask()
  await vi.waitUntil(() => existsSync(join(cwd, 'begun')))
  expect(runner.work).toBe('Checking the call')
  await writeFile(join(cwd, 'go'), '')
  await asked
  expect(runner.work).toBeUndefined()
})
