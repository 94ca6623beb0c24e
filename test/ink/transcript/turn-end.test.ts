import { describe, expect, it } from 'vitest'
import { reduce } from '../../../src/ink/reduce/reduce.ts'
import { drawEntry } from '../../../src/ink/transcript/entry.ts'
import {
  bashEnds,
  bashRuns,
  delta,
  emptyScreen,
  fold,
  roundEnd,
  said,
  turnEnd,
  type Unstamped,
} from '../conversation.ts'
import { plain } from '../screen-text.ts'

const edits = (id: string, path: string): readonly Unstamped[] => [
  { type: 'tool_call_begin', id, name: 'edit' },
  { type: 'tool_start', callId: id, name: 'edit', arguments: { path } },
  {
    type: 'tool_end',
    callId: id,
    isError: false,
    durationMs: 5,
    content: [{ type: 'text', text: 'changed' }],
    details: { path, diff: '--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n-one\n+eins\n+zwei\n two' },
  },
]

function lastRow(events: readonly Unstamped[], at = 0, columns = 60): string | undefined {
  const screen = fold(fold(emptyScreen(), [said('go'), ...events]), [turnEnd], at)
  const end = screen.finished.findLast(({ type }) => type === 'end')
  return end === undefined ? undefined : plain(drawEntry(end, columns))[0]
}

describe('the last row of a turn', () => {
  it('tells its time, changes, tests and cost, and the commands about them', () => {
    const events = [
      ...edits('call_1', 'a.ts'),
      ...edits('call_2', 'a.ts'),
      ...edits('call_3', 'b.ts'),
      ...bashRuns('call_4', 'npm test', ''),
      bashEnds('call_4', 'fine'),
      { ...roundEnd, costUsd: 0.06 },
    ]
    expect(lastRow(events, 58_000)).toBe('  ✓ 58 s · 2 files +6 −3 · tests ✓ · $0.06      /diff  /undo')
    expect(lastRow(events, 58_000, 40)).toBe('  ✓ 58 s · 2 files +6 −3 · tests ✓')
  })

  it('counts a file that was moved as changed', () => {
    const moved = [
      { type: 'tool_start', callId: 'call_1', name: 'rename', arguments: { from: 'a.ts', to: 'b.ts' } },
      {
        type: 'tool_end',
        callId: 'call_1',
        isError: false,
        durationMs: 5,
        content: [{ type: 'text', text: 'renamed a.ts to b.ts' }],
        details: { path: 'b.ts', from: 'a.ts' },
      },
    ] satisfies readonly Unstamped[]
    expect(lastRow(moved, 2_000)).toBe('  ✓ 2 s · 1 file                                /diff  /undo')
  })

  it('names what an undo leaves out, also if it tells nothing else', () => {
    const late = { type: 'checkpoint' as const, notes: [], unsaved: 'vendor/' }
    expect(lastRow([late], 2_000)).toBe('  ✓ 2 s · no undo for vendor/')
    expect(lastRow([...edits('call_1', 'a.ts'), late], 2_000)).toBe(
      '  ✓ 2 s · 1 file +2 −1 · no undo for vendor/    /diff  /undo',
    )
  })

  it('tells the result of the last test run, and of no other command', () => {
    const run = (id: string, command: string, isError: boolean) => [
      ...bashRuns(id, command, ''),
      bashEnds(id, 'x', isError),
    ]
    const failed = run('call_1', 'npx vitest run', true)
    expect(lastRow(failed, 2_000)).toBe('  ✗ 2 s · tests ✗')
    expect(lastRow([...failed, ...run('call_2', 'npx vitest run', false)], 2_000)).toBe('  ✓ 2 s · tests ✓')
    const unknown = run('call_2', 'npx vitest run | tail -1', false)
    expect(lastRow([...failed, ...unknown], 30_000)).toBe('  ✓ 30 s')
    expect(lastRow(run('call_1', 'ls', true), 2_000)).toBeUndefined()
  })

  it('is left out after a short answer, and tells the time of a long one', () => {
    expect(lastRow([delta('Hello.')], 3_000)).toBeUndefined()
    expect(lastRow([delta('Hello.')], 64_000)).toBe('  ✓ 1 m 04 s')
  })

  it('says that the turn was interrupted or failed', () => {
    const stopped = reduce(fold(emptyScreen(), [said('go')]), { type: 'interrupted' })
    expect(stopped.finished.at(-1)).toMatchObject({ type: 'end', outcome: 'interrupted' })
    const failed = fold(emptyScreen(), [
      said('go'),
      ...edits('call_1', 'a.ts'),
      { ...turnEnd, stopReason: 'error' } as Unstamped,
    ])
    const end = failed.finished.at(-1)
    expect(end && plain(drawEntry(end, 60))[0]).toBe(
      '  ✗ failed after 0 s · 1 file +2 −1             /diff  /undo',
    )
  })
})
