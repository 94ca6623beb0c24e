import { describe, expect, it } from 'vitest'
import type { AgentEvent, AgentFact, StreamEvent } from '../../src/event.ts'
import { SilenceWatch } from '../../src/line/silence.ts'
import { createHandClock } from '../support/clocks/hand-clock.ts'
import { countingIds } from '../support/messages/ids.ts'

const agentId = countingIds().agent()

const stamp = (event: StreamEvent | AgentFact): AgentEvent => ({ ...event, agentId, seq: 1 })
const asked = stamp({ type: 'round_start', round: 1, provider: 'openai', model: 'gpt-5' })
const word = stamp({ type: 'text_delta', id: 'text', delta: 'a' })
const runs = stamp({ type: 'tool_start', callId: 'tc_1', name: 'bash', arguments: {} })

/** Advances time in steps, so that timers can run. */
async function pass(clock: ReturnType<typeof createHandClock>, seconds: number): Promise<void> {
  for (let i = 0; i < seconds; i++) {
    clock.advance(1_000)
    await new Promise(setImmediate)
  }
}

function watch() {
  const clock = createHandClock()
  const said: string[] = []
  const silence = new SilenceWatch(clock, (line) => said.push(line))
  return { clock, said, silence }
}

describe('a silent model', () => {
  const line = 'pipe: no word from the model for 20 s; waiting (Ctrl+C stops)\n'

  it('is reported once after 20 seconds, and again after its next event', async () => {
    const { clock, said, silence } = watch()
    silence.see(asked)
    await pass(clock, 19)
    expect(said).toEqual([])
    await pass(clock, 50)
    expect(said).toEqual([line])
    silence.see(word)
    await pass(clock, 41)
    expect(said).toEqual([line, line])
    silence.close()
  })

  it('is not reported during text, tool runs or a known wait', async () => {
    const { clock, said, silence } = watch()
    silence.see(asked)
    for (let i = 0; i < 5; i++) {
      await pass(clock, 15)
      silence.see(word)
    }
    silence.see(runs)
    await pass(clock, 100)
    silence.see(stamp({ type: 'retry', attempt: 1, reason: 'busy', waitMs: 30_000, discarded: [] }))
    await pass(clock, 49)
    expect(said).toEqual([])
    silence.close()
  })
})
