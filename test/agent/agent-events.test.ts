import { expect, it } from 'vitest'
import { AgentEvents } from '../../src/agent/agent-events.ts'
import { AuditTrail } from '../../src/agent/calls/audit-trail.ts'
import { noUsage } from '../../src/usage.ts'
import { countingIds } from '../support/messages/ids.ts'
import { recordingAudit } from '../support/sessions/recording-audit.ts'

const newId = countingIds()
const [agentId, elfId] = [newId.agent(), newId.agent()]
const end = { type: 'elf_end', elfId, name: 'e1', stopReason: 'end_turn', rounds: 1, usage: noUsage } as const
const delta = { type: 'text_delta', id: 'b1', delta: 'Hi' } as const

it('numbers events, and returns what an elf reports between turns', () => {
  const events = new AgentEvents(agentId)
  expect([events.stamped(delta), events.tell(end)]).toEqual([
    { agentId, seq: 1, ...delta },
    { agentId, seq: 2, ...end },
  ])
  expect(events.takeTold()).toEqual([])
})

it('keeps what an elf reports during a turn for the turn to yield, once', () => {
  const events = new AgentEvents(agentId)
  events.isTurn = true
  expect(events.tell(end)).toBeUndefined()
  expect([events.stamped(delta).seq, events.takeTold(), events.takeTold()]).toEqual([
    1,
    [{ agentId, seq: 2, ...end }],
    [],
  ])
})

it('records what an elf reports in the audit log at once', () => {
  const { audit, entries } = recordingAudit()
  const events = new AgentEvents(agentId, new AuditTrail(audit, 'agent_pipe'))
  events.isTurn = true
  events.tell(end)
  expect(entries.map(({ decision, actor }) => [decision, actor])).toEqual([['elf_ended', 'agent_pipe']])
})
