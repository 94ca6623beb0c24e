import { describe, expect, it } from 'vitest'
import { openAgent, play, says } from '../../support/conversations/agent.ts'
import { openWire, wires } from '../../support/models/wires.ts'
import { recordingAudit } from '../../support/sessions/recording-audit.ts'

describe.each(wires)('over $dialect the id that the server gives a request', (wire) => {
  const sse = wire.events([says('Hi.')]).join('')

  it('is in the message and in the audit log, also for a failed try', async () => {
    const { provider } = await openWire(wire, [
      { status: 529, headers: { 'request-id': 'req_1' } },
      { sse: `${wire.frame(wire.busy)}`, headers: { 'request-id': 'req_2' } },
      { sse, headers: { 'request-id': 'req_3' } },
    ])
    const { audit, entries } = recordingAudit()
    const { events, turn } = await play(openAgent({ provider, audit }))
    expect(events.flatMap((event) => (event.type === 'retry' ? [event.requestId] : []))).toEqual([
      'req_1',
      'req_2',
    ])
    expect(turn.messages[1]).toMatchObject({ type: 'assistant', requestId: 'req_3' })
    expect(entries.map(({ decision, audit: facts }) => [decision, facts['request_id']])).toEqual([
      ['user_message', undefined],
      ['retry', 'req_1'],
      ['retry', 'req_2'],
      ['assistant_text', 'req_3'],
      ['round_ended', 'req_3'],
      ['turn_ended', undefined],
    ])
  })

  it('is absent if the server sends none', async () => {
    const { provider } = await openWire(wire, [{ sse }])
    const { turn } = await play(openAgent({ provider }))
    expect(turn.messages[1]).not.toHaveProperty('requestId')
  })
})
