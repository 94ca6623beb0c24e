import { describe, expect, it } from 'vitest'
import { lookOf } from '../../src/cli/wiring/tools/known-tools.ts'
import { Lines, showActivity } from '../../src/line/text.ts'
import type { Unstamped } from '../ink/conversation.ts'
import { createElf, ends } from '../ink/elves.ts'
import { capture } from '../support/conversations/host.ts'
import { countingIds } from '../support/messages/ids.ts'

const agentId = countingIds().agent()
const elf = createElf({ name: 'e1', agent: 'explore', model: 'acme/mini', prompt: 'Look\naround.\u202e' })
const details = { elf: 'e1', agent: 'explore', rounds: 2 }
const result = (more: object): Unstamped => ({
  type: 'tool_end',
  callId: 'call_e1',
  isError: false,
  durationMs: 1_500,
  content: [{ type: 'text', text: 'no agent named x\nuse y' }],
  ...more,
})

/** Returns the lines that these events write. */
function written(...events: readonly Unstamped[]): string {
  const [stdout, stderr] = [capture(false), capture(false)]
  const lines = new Lines(stdout, stderr, lookOf)
  for (const [i, event] of events.entries()) showActivity({ ...event, agentId, seq: i + 1 }, lines)
  return stderr.text()
}

describe('the progress of an elf', () => {
  it('is one line at its start and one at its end', () => {
    expect(written(...elf.call, ends(elf), result({ details }))).toBe(
      '• e1 (explore, acme/mini): Look around.\\u202e\n  ✓ e1, 2 rounds, $0.0123\n',
    )
  })

  it.each([
    [{ reason: 'the budget is spent', stopReason: 'error' }, '✗ e1, 2 rounds, $0.0123: the budget is spent'],
    [{ reason: 'interrupted', stopReason: 'aborted', costUsd: 0 }, '✗ e1, 2 rounds: stopped'],
    [{ stopReason: 'refusal', costUsd: 0 }, '✗ e1, 2 rounds: failed'],
  ] as const)('says how it ended: %j', (end, expected) => {
    expect(written(ends(elf, end), result({ details, isError: true }))).toBe(`  ${expected}\n`)
  })

  it('is the failure of the call if it never began', () => {
    const [, start] = elf.call
    expect(written(...(start === undefined ? [] : [start]), result({ isError: true }))).toBe(
      '  ✗ 1.5 s no agent named x\n',
    )
  })

  it('names the other calls of the tool', () => {
    const waits = { action: 'wait', id: 'e1' }
    expect(written({ type: 'tool_start', callId: 'c', name: 'elf', arguments: waits })).toBe('• elf\n')
  })
})
