import { describe, expect, it } from 'vitest'
import { executorConformance } from '../../src/conformance/suites.ts'
import type { InteractionResponse } from '../../src/interaction.ts'
import type { JsonObject } from '../../src/json-value.ts'
import { type GuardOptions, guard } from '../../src/permission/guard.ts'
import type { PermissionMode } from '../../src/permission.ts'
import { type Tool, type ToolExecutor, type ToolOutput, type ToolResult, textResult } from '../../src/tool.ts'
import { conforms } from '../support/conforms.ts'
import { countingIds } from '../support/ids.ts'
import { able, testPolicy } from '../support/policy.ts'
import { gives, type ScriptedTool, scriptedTools, waits } from '../support/scripted-tools.ts'
import { thrown } from '../support/thrown.ts'
import { toolContext } from '../support/tool-run.ts'

const tools = {
  read: gives('text', { readOnly: true }),
  bash: gives('ran'),
  wait: waits(new Promise(() => undefined), { before: 'waiting', text: 'never' }),
}

/** Everything the guard lets a capable actor do. */
function everyCall(executor: ToolExecutor): ToolExecutor {
  return {
    tools: () => executor.tools(),
    execute: (name, args, context) => executor.execute(name, args, { ...context, actor: able }),
  }
}

conforms(
  'a guarded executor in bypass mode',
  executorConformance(async () => ({
    executor: everyCall(
      guard(scriptedTools(tools), {
        policy: testPolicy({ mode: 'bypass' }),
        newId: countingIds(),
        onAsk: 'stop',
      }),
    ),
    good: { name: 'bash', arguments: {} },
    bad: { name: 'bash', arguments: [] },
    endless: { name: 'wait', arguments: {} },
  })),
)

it('tells tools which calls change nothing', async () => {
  const seen: unknown[] = []
  const bash: ScriptedTool = {
    // biome-ignore lint/correctness/useYield: a tool without output
    run: async function* (_, { changesNothing }) {
      seen.push(changesNothing)
      return textResult('ran')
    },
  }
  const policy = testPolicy({ mode: 'bypass' })
  const executor = guard(scriptedTools({ bash }), { policy, newId: countingIds(), onAsk: 'stop' })
  for (const command of ['ls', 'touch a']) {
    await executor.execute('bash', { command }, { ...toolContext(), actor: able }).next()
  }
  expect(seen).toEqual([true, false])
})

it('PATH-193: passes the judged real path to the tool and its preview', async () => {
  const seen: unknown[] = []
  const edit: ScriptedTool = {
    // biome-ignore lint/correctness/useYield: a tool without output
    run: async function* (_, { judgedPath }) {
      seen.push(judgedPath)
      return textResult('changed')
    },
  }
  const inner = scriptedTools({ edit })
  const preview: Tool['preview'] = async (_, { judgedPath }) => {
    seen.push(judgedPath)
    return undefined
  }
  const executor = guard(
    {
      ...inner,
      tools: () => inner.tools().map((tool) => ({ ...tool, capability: 'tool_edit_file', preview })),
    },
    { policy: testPolicy(), newId: countingIds(), onAsk: 'ask' },
  )
  const run = executor.execute('edit', { path: 'a.txt' }, { ...toolContext(), actor: able })
  const { value: said } = await run.next()
  if (said === undefined || !('interaction' in said)) throw new Error('nobody was asked')
  await run.next({ interactionId: said.interaction.id, selectedOptionId: 'allow', answeredBy: 'user_test' })
  expect(seen).toEqual(['/home/user/proj/a.txt', '/home/user/proj/a.txt'])
})

type Answer = Omit<InteractionResponse, 'interactionId' | 'answeredBy'>

interface Run {
  readonly said: readonly ToolOutput[]
  readonly result: ToolResult
}

/** Guarded tools. `answer` answers every question; by default, questions stay unanswered. */
function guarded(mode: PermissionMode, onAsk: GuardOptions['onAsk'], answer?: Answer) {
  const journal: string[] = []
  const saved: (readonly string[])[] = []
  const saveRules = async (rules: readonly string[]) => {
    saved.push(rules)
  }
  const options = { policy: testPolicy({ mode }), newId: countingIds(), onAsk, saveRules }
  const executor = guard(scriptedTools(tools, journal), options)
  const call = async (name: string, args: JsonObject = { command: 'touch a' }): Promise<Run> => {
    const run = executor.execute(name, args, { ...toolContext(), actor: able })
    const said: ToolOutput[] = []
    let response: InteractionResponse | undefined
    for (;;) {
      const step = await run.next(response)
      if (step.done === true) return { said, result: step.value }
      said.push(step.value)
      response = undefined
      if (step.value.type === 'interaction' && answer !== undefined) {
        response = { interactionId: step.value.interaction.id, answeredBy: 'user_test', ...answer }
      }
    }
  }
  return { call, journal, executor, saved }
}

function refused(reason: string, more: object): ToolResult {
  return {
    content: [{ type: 'text', text: `Permission denied: ${reason}. The call was not carried out.` }],
    isError: true,
    details: { permission: 'denied', reason, ...more },
  }
}

const byAsking = { source: 'builtin' }

describe('the guard', () => {
  it('lists the tools of its executor', () => {
    const { executor } = guarded('default', 'deny')
    expect(executor.tools().map(({ name }) => name)).toEqual(['read', 'bash', 'wait'])
  })

  it('runs allowed calls without a question', async () => {
    const { call, journal } = guarded('default', 'stop')
    expect(await call('read')).toEqual({ said: [], result: textResult('text') })
    expect(journal).toEqual(['run read', 'end read'])
  })

  it('tells the model about a denied call and runs nothing', async () => {
    const { call, journal } = guarded('plan', 'ask')
    const reason = 'plan mode only reads; propose the change instead'
    expect(await call('bash')).toEqual({
      said: [],
      result: refused(reason, { source: 'mode', rule: 'plan' }),
    })
    expect(journal).toEqual([])
  })

  it('passes unknown tools to the executor', async () => {
    const { call } = guarded('plan', 'stop')
    expect((await call('nope')).result).toMatchObject({
      isError: true,
      content: [{ text: 'there is no tool nope' }],
    })
  })

  it('shows the user the whole call', async () => {
    const { call } = guarded('default', 'ask', { selectedOptionId: 'allow' })
    const { said } = await call('bash', { command: 'make build' })
    expect(said).toEqual([
      {
        type: 'interaction',
        interaction: {
          id: countingIds().interaction(),
          kind: 'select',
          purpose: 'confirm_risky_action',
          display: {
            title: 'Allow bash?',
            description: 'make build can change things',
            content: { command: 'make build' },
            contentKind: 'json',
          },
          options: [
            { id: 'allow', label: 'Yes, once', style: 'primary' },
            { id: 'allow_session', label: 'Yes, and every bash call until pipe exits' },
            { id: 'allow_always', label: 'Yes, always: Bash(make build)' },
            { id: 'deny', label: 'No', style: 'danger', isDefault: true },
          ],
        },
      },
    ])
  })

  it('shows the user a diff if the tool has a preview', async () => {
    const policy = testPolicy({ mode: 'default' })
    const inner = scriptedTools(tools)
    const previewing: ToolExecutor = {
      tools: () =>
        inner.tools().map((tool) => ({ ...tool, preview: async (args) => `-${JSON.stringify(args)}` })),
      execute: (...call) => inner.execute(...call),
    }
    const executor = guard(previewing, { policy, newId: countingIds(), onAsk: 'ask' })
    const run = executor.execute('bash', { command: 'touch a' }, { ...toolContext(), actor: able })
    expect((await run.next()).value).toMatchObject({
      interaction: {
        purpose: 'confirm_risky_action',
        display: { content: '-{"command":"touch a"}', contentKind: 'diff' },
      },
    })
  })

  it('asks again after "yes, once", but not after "yes" for the session', async () => {
    const once = guarded('default', 'ask', { selectedOptionId: 'allow' })
    const session = guarded('default', 'ask', { selectedOptionId: 'allow_session' })
    const asked = async ({ call }: typeof once) => {
      const runs = [await call('bash'), await call('bash')]
      expect(runs.map(({ result }) => result)).toEqual([textResult('ran'), textResult('ran')])
      return runs.map(({ said }) => said.length)
    }
    expect(await asked(once)).toEqual([1, 1])
    expect(await asked(session)).toEqual([1, 0])
  })

  it('saves the displayed rules after "always" and stops asking about them', async () => {
    const { call, saved } = guarded('default', 'ask', { selectedOptionId: 'allow_always' })
    const runs = [
      await call('bash', { command: 'npm test && touch a' }),
      await call('bash', { command: 'npm test -- --watch' }),
      await call('bash', { command: 'touch b' }),
    ]
    expect(runs.map(({ said }) => said.length)).toEqual([1, 0, 1])
    expect(saved).toEqual([['Bash(npm test:*)', 'Bash(touch a)'], ['Bash(touch b)']])
  })

  it('does not offer "always" if no rule would help', async () => {
    const { call } = guarded('default', 'ask', { selectedOptionId: 'allow' })
    const optionsOf = async (command: string) => {
      const { said } = await call('bash', { command })
      return said.map((one) =>
        one.type === 'interaction' ? one.interaction.options?.map(({ id }) => id) : one,
      )
    }
    for (const command of ['touch $(date)', 'cd sub && git commit', 'rm -rf ~', 'echo "'])
      expect([command, ...(await optionsOf(command))]).toEqual([command, ['allow', 'allow_session', 'deny']])
  })

  it.each<[string, Answer | undefined, string]>([
    ['no', { selectedOptionId: 'deny' }, 'the user said no'],
    ['no and why', { selectedOptionId: 'deny', comment: 'use git mv' }, 'the user said no: use git mv'],
    ['no option at all', { comment: 'hm' }, 'the user said no: hm'],
    ['a cancelled answer', { cancelled: true }, 'the question was not answered'],
    [
      'a cancelled answer that also says yes',
      { cancelled: true, selectedOptionId: 'allow' },
      'the question was not answered',
    ],
    ['no answer', undefined, 'the question was not answered'],
  ])('treats %s as no', async (_, answer, reason) => {
    const { call, journal } = guarded('default', 'ask', answer)
    expect((await call('bash')).result).toEqual(refused(reason, byAsking))
    expect(journal).toEqual([])
  })

  it('denies calls that need approval if there is no user to ask', async () => {
    const { call, journal } = guarded('default', 'deny')
    const reason = 'touch a can change things, and nobody can be asked for permission here'
    expect(await call('bash')).toEqual({ said: [], result: refused(reason, byAsking) })
    expect(journal).toEqual([])
  })

  it('stops the turn instead if configured so', async () => {
    const { call, journal } = guarded('default', 'stop')
    expect(await thrown(() => call('bash'))).toMatchObject({
      code: 'permission',
      details: { tool: 'bash', call_id: 'call_1', reason: 'touch a can change things' },
    })
    expect(journal).toEqual([])
  })
})
