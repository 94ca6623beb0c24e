import { describe, expect, it } from 'vitest'
import { PipeError } from '../../src/error.ts'
import { drawStatusRows } from '../../src/ink/live/live-rows.ts'
import { OwnStatus } from '../../src/ink/own-status.ts'
import { Store } from '../../src/ink/store.ts'
import { createHandClock } from '../support/clocks/hand-clock.ts'
import { emptyScreen } from './conversation.ts'
import { plain } from './screen-text.ts'

interface CommandRun {
  readonly resolve: (text: string) => void
  readonly reject: (error: unknown) => void
}

/** Opens the status of a user whose command answers when the test says so. */
function open() {
  const clock = createHandClock()
  const store = new Store(emptyScreen(), clock)
  const runs: CommandRun[] = []
  const notes: string[] = []
  const status = new OwnStatus({
    store,
    clock,
    api: {
      statusLine: () =>
        new Promise((resolve, reject) => {
          runs.push({ resolve, reject })
        }),
    },
    note: (text) => void notes.push(text),
    fail: (error) => {
      throw error
    },
  })
  status.open()
  const change = (costUsd: number) => {
    store.dispatch({ type: 'status', status: { costUsd } })
    store.show()
  }
  const shown = () => plain(drawStatusRows(store.shown().screen).slice(1, -1))
  return { clock, store, runs, notes, status, change, shown }
}

describe('the status line of the user', () => {
  it('holds up no frame, and runs once at a time and at most every 300 ms', async () => {
    const { clock, store, runs, change, shown } = open()
    clock.advance(0)
    await expect.poll(() => runs.length).toBe(1)
    change(1)
    change(2)
    expect(store.shown().screen.status.costUsd).toBe(2)
    expect(shown()).toEqual([])
    runs[0]?.resolve('first\nsecond\n\n')
    await expect.poll(shown).toEqual(['first', 'second'])
    clock.advance(299)
    expect(runs).toHaveLength(1)
    clock.advance(1)
    await expect.poll(() => runs.length).toBe(2)
    runs[1]?.resolve('third')
    await expect.poll(shown).toEqual(['third'])
    clock.advance(1_000)
    expect(runs).toHaveLength(2)
  })

  it('goes if the command fails, which is told once', async () => {
    const { clock, runs, notes, change, shown } = open()
    for (const [i, answer] of ['fine', undefined, 'fine again', undefined].entries()) {
      change(i)
      clock.advance(300)
      await expect.poll(() => runs.length).toBe(i + 1)
      if (answer === undefined) runs[i]?.reject(new PipeError('tool', 'exit 1'))
      else runs[i]?.resolve(answer)
      await expect.poll(shown).toEqual(answer === undefined ? [] : [answer])
    }
    expect(notes).toEqual(['tui.status_line: exit 1'])
  })
})
