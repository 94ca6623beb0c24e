import { describe, expect, it } from 'vitest'
import { capabilities } from '../../../src/actor.ts'
import { agentOf } from '../../../src/cli/wiring/run-actors.ts'

describe('the agent whose calls they are', () => {
  it('is the program with every capability, unless told otherwise', () => {
    expect(agentOf({}, undefined, {})).toEqual({
      id: 'agent_pipe',
      kind: 'agent',
      displayName: 'pipe',
      capabilities,
    })
    expect(agentOf({ actor: 'agent_elf_1' }, 'review', {})).toEqual({
      id: 'agent_elf_1',
      kind: 'agent',
      displayName: 'agent_elf_1',
      capabilities,
    })
  })

  it('can do what the program, itself, its agent and whoever started it all can', () => {
    const actors = {
      agent_pipe: {
        capabilities: ['tool_read_file', 'tool_edit_file', 'read_assets', 'create_task'] as const,
      },
      agent_elf_1: { capabilities: ['tool_read_file', 'tool_edit_file', 'read_assets'] as const },
      agent_review: { display_name: 'R', capabilities: ['tool_read_file', 'read_assets'] as const },
    }
    const settings = { actors: JSON.parse(JSON.stringify(actors)) }
    expect(agentOf({}, undefined, settings).capabilities).toHaveLength(4)
    expect(agentOf({ actor: 'agent_elf_1' }, 'review', settings).capabilities).toEqual([
      ...['tool_read_file', 'read_assets'],
    ])
    const limited = { actor: 'agent_elf_1', capabilities: ['read_assets', 'tool_run_command'] as const }
    expect(agentOf(limited, 'review', settings).capabilities).toEqual(['read_assets'])
    expect(agentOf({ actor: 'agent_review' }, undefined, settings).displayName).toBe('R')
  })
})
