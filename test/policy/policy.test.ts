import { describe, expect, it } from 'vitest'
import type { Actor, Capability } from '../../src/actor.ts'
import type { PermissionMode } from '../../src/permission.ts'
import { createPolicy } from '../../src/policy/policy.ts'
import type { Tool } from '../../src/tool.ts'

const agent: Actor = {
  id: 'agent_pipe',
  kind: 'agent',
  displayName: 'pipe',
  capabilities: ['tool_read_file', 'tool_edit_file', 'tool_run_command'],
}

function tool(name: string, capability: Capability): Tool {
  return {
    name,
    description: '',
    parameters: { type: 'object' },
    capability,
    readOnly: (args) => capability === 'tool_read_file' || args === 'ls',
  }
}

const read = tool('read', 'tool_read_file')
const edit = tool('edit', 'tool_edit_file')
const bash = tool('bash', 'tool_run_command')

const asks = { behavior: 'ask', source: 'builtin' }
const reads = { behavior: 'allow', source: 'builtin', reason: 'it only reads' }
const byMode = (rule: PermissionMode, behavior: 'allow' | 'deny') => ({ behavior, source: 'mode', rule })

describe('the policy', () => {
  it.each([
    ['default', reads, asks, asks],
    ['accept-edits', reads, byMode('accept-edits', 'allow'), asks],
    ['plan', reads, byMode('plan', 'deny'), byMode('plan', 'deny')],
    ['auto', reads, asks, asks],
    ['bypass', byMode('bypass', 'allow'), byMode('bypass', 'allow'), byMode('bypass', 'allow')],
  ] as const)('in mode %s judges reading, editing and commands', (mode, reading, editing, running) => {
    const judge = (judged: Tool) => createPolicy(mode).judge({ tool: judged, arguments: {}, actor: agent })
    expect(judge(read)).toMatchObject(reading)
    expect(judge(edit)).toMatchObject(editing)
    expect(judge(bash)).toMatchObject(running)
  })

  it('judges the call, not the tool: a command that only reads needs no word', () => {
    const judge = (args: string) => createPolicy('plan').judge({ tool: bash, arguments: args, actor: agent })
    expect(judge('ls')).toMatchObject(reads)
    expect(judge('rm x')).toMatchObject({ behavior: 'deny' })
  })

  it.each(['default', 'accept-edits', 'plan', 'auto', 'bypass'] as const)(
    'in mode %s refuses an actor without the capability, even to read',
    (mode) => {
      const weak: Actor = { ...agent, displayName: 'the scout', capabilities: ['tool_run_command'] }
      const policy = createPolicy(mode)
      policy.allowForSession(read)
      expect(policy.judge({ tool: read, arguments: {}, actor: weak })).toEqual({
        behavior: 'deny',
        source: 'capability',
        rule: 'tool_read_file',
        reason: 'the scout does not have the capability tool_read_file',
      })
    },
  )

  it('remembers what was allowed for the session, for that tool and this policy', () => {
    const policy = createPolicy('default')
    policy.allowForSession(edit)
    const judge = (judged: Tool) => policy.judge({ tool: judged, arguments: {}, actor: agent })
    expect(judge(edit)).toEqual({
      behavior: 'allow',
      source: 'session',
      rule: 'edit',
      reason: 'allowed for this session',
    })
    expect(judge(bash)).toMatchObject(asks)
    expect(createPolicy('default').judge({ tool: edit, arguments: {}, actor: agent })).toMatchObject(asks)
  })

  it('lets no word of a person loosen plan mode', () => {
    const policy = createPolicy('plan')
    policy.allowForSession(edit)
    expect(policy.judge({ tool: edit, arguments: {}, actor: agent })).toMatchObject({ behavior: 'deny' })
  })
})
