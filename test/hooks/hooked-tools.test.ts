import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { afterCalls, beforeCalls } from '../../src/hooks/hooked-tools.ts'
import { serverFrame } from '../../src/memory/frames.ts'
import { type ToolContext, textResult } from '../../src/tool.ts'
import { gives, scriptedTools } from '../support/conversations/scripted-tools.ts'
import { able } from '../support/permission/policy.ts'
import { thrown } from '../support/thrown.ts'
import { openRunner, unchanging } from './runner.ts'

/** A tool that returns the advice on its call, with hooks before and behind it. */
async function open(hooks: object) {
  const { runner, commands, cwd } = await openRunner(hooks)
  onTestFinished(async () => {
    await runner.close()
    await commands.close()
  })
  const journal: string[] = []
  const tools = scriptedTools(
    {
      bash: {
        async *run(_, { advice }) {
          yield { type: 'output', stream: 'stdout', chunk: 'working' }
          return textResult(JSON.stringify(advice ?? 'no advice'))
        },
      },
      mcp__notes__read: gives(serverFrame('notes', 'a note')),
    },
    journal,
  )
  const stops: string[] = []
  const notices: string[] = []
  const changes = unchanging(runner)
  const options = {
    hooks: runner,
    changes,
    cwd,
    home: '/home/ann',
    stop: (reason: string) => void stops.push(reason),
    setMode: () => undefined,
  }
  const executor = beforeCalls(afterCalls(tools, options), options)
  const call = async ({ signal = new AbortController().signal, name = 'bash' } = {}) => {
    const context: ToolContext = { callId: 'call_1', signal, actor: able }
    const run = executor.execute(name, { command: 'ls' }, context)
    for (;;) {
      const step = await run.next()
      if (step.done === true)
        return step.value.content.map((block) => (block.type === 'text' ? block.text : ''))
      if (step.value.type === 'notice') notices.push(step.value.text)
    }
  }
  return { call, cwd, journal, stops, notices }
}

function onEvent(event: string, ...commands: readonly string[]): object {
  return { [event]: [{ hooks: commands.map((command) => ({ type: 'command', command })) }] }
}

/** Hooks before a call, of which the first runs once. */
function once(first: string, second: string): object {
  const hooks = [
    { type: 'command', command: first, once: true },
    { type: 'command', command: second },
  ]
  return { PreToolUse: [{ hooks }] }
}

const answer = (fields: object) =>
  `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } })}'`

describe('hooks before a call', () => {
  it('pass on the strictest advice', async () => {
    const allow = answer({ permissionDecision: 'allow', permissionDecisionReason: 'fine' })
    const ask = answer({ permissionDecision: 'ask', permissionDecisionReason: 'hm' })
    const { call } = await open(onEvent('PreToolUse', allow, ask))
    const [advice = ''] = await call()
    expect(JSON.parse(advice)).toEqual({ behavior: 'ask', reason: 'hm', by: expect.stringContaining('echo') })
  })

  it('give no advice on arguments that another has changed', async () => {
    const allowOld = `grep -q '"ls"' && ${answer({ permissionDecision: 'allow' })}; exit 0`
    const { call } = await open(
      onEvent('PreToolUse', allowOld, answer({ updatedInput: { command: 'rm -rf x' } })),
    )
    expect(await call()).toEqual(['"no advice"'])
  })

  it('that run once keep their question about arguments that another has changed', async () => {
    const reason = 'look first'
    const ask = answer({ permissionDecision: 'ask', permissionDecisionReason: reason })
    const { call } = await open(once(ask, answer({ updatedInput: { command: 'ls -a' } })))
    const [advice = ''] = await call()
    expect(JSON.parse(advice)).toMatchObject({ behavior: 'ask', reason })
  })

  it('are not taken to change a call whose arguments they only repeat', async () => {
    const repeat = answer({ permissionDecision: 'allow', updatedInput: { command: 'ls' } })
    const { call, cwd, notices } = await open(onEvent('PreToolUse', repeat, 'echo x >>asked'))
    await call()
    expect(notices).toEqual([])
    expect(readFileSync(join(cwd, 'asked'), 'utf8')).toBe('x\n')
  })

  it('that run once still end the turn if another has changed the arguments', async () => {
    const stop = `echo '${JSON.stringify({ continue: false, stopReason: 'enough' })}'`
    const { call, journal, stops } = await open(once(stop, answer({ updatedInput: { command: 'ls -a' } })))
    expect(await call()).toEqual(['A hook refuses this call: enough\nThe call was not carried out.'])
    expect([journal, stops]).toEqual([[], ['enough']])
  })

  it('end with an interrupt, and the call does not run', async () => {
    const { call, cwd, journal } = await open(onEvent('PreToolUse', 'touch begun; sleep 300'))
    const controller = new AbortController()
    const called = thrown(() => call({ signal: controller.signal }))
    await vi.waitUntil(() => existsSync(join(cwd, 'begun')), { timeout: 60_000 })
    controller.abort()
    expect(await called).toMatchObject({ code: 'aborted' })
    expect(journal).toEqual([])
  })
})

describe('hooks behind a call', () => {
  it('add to its result, and may end the turn', async () => {
    const { call, stops } = await open(
      onEvent('PostToolUse', 'echo look >&2; exit 2', `echo '{"continue": false, "stopReason": "enough"}'`),
    )
    expect(await call()).toEqual(['"no advice"', '\n\n[A hook of this run says about the call:\nlook\n]'])
    expect(stops).toEqual(['enough'])
  })

  it.each<[string, unknown]>([
    ['a text', 'the key is ***'],
    ['content', { content: [{ type: 'text', text: 'the key is ***' }], is_error: false }],
    ['what a command printed', { stdout: 'the key is ***', stderr: '', interrupted: false }],
  ])('put another result in its place: %s', async (_, updatedToolOutput) => {
    const output = { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput } }
    const { call, notices } = await open(onEvent('PostToolUse', `echo '${JSON.stringify(output)}'`))
    expect(await call()).toEqual(['the key is ***'])
    expect(notices).toEqual([expect.stringMatching(/^the hook echo .* replaced the result of bash$/)])
  })

  it('leave the result of a tool of pipe where they replace those of servers', async () => {
    const output = { hookSpecificOutput: { updatedMCPToolOutput: 'theirs' } }
    const { call } = await open(onEvent('PostToolUse', `echo '${JSON.stringify(output)}'`))
    expect(await call()).toEqual(['"no advice"'])
    expect(await call({ name: 'mcp__notes__read' })).toEqual([serverFrame('notes', 'theirs')])
  })

  it('that are interrupted leave its result as it is', async () => {
    const { call, cwd } = await open(onEvent('PostToolUse', 'touch begun; sleep 300'))
    const controller = new AbortController()
    const called = call({ signal: controller.signal })
    await vi.waitUntil(() => existsSync(join(cwd, 'begun')), { timeout: 60_000 })
    controller.abort()
    expect(await called).toEqual(['"no advice"'])
  })
})
