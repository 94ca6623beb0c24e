import { spawn } from 'node:child_process'
// biome-ignore lint/style/noRestrictedImports: only this function counts the listeners of a signal.
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'

/** Blocks the process, as a stop does. */
function stand(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

describe('a sleep', () => {
  it('that fell due while the process was stopped ends after pending input is read', async () => {
    const child = spawn('cat')
    const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
    await new Promise<void>((resolve) => child.on('spawn', resolve))
    const journal: string[] = []
    child.stdout.on('data', () => void journal.push('read'))
    const slept = systemClock.sleep(5, new AbortController().signal).then(() => void journal.push('slept'))
    child.stdin.end('words')
    stand(300)
    await Promise.all([slept, ended])
    expect(journal).toEqual(['read', 'slept'])
  })

  it.each([
    ['before it is due', 60_000],
    ['at once', 0],
  ])('is interrupted by its signal %s, which then has no listener', async (_, ms) => {
    const controller = new AbortController()
    if (ms === 0) controller.abort()
    const sleeping = systemClock.sleep(ms, controller.signal)
    controller.abort()
    await expect(sleeping).rejects.toMatchObject({ code: 'aborted' })
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('can be interrupted between its time and its end', async () => {
    const controller = new AbortController()
    const sleeping = systemClock.sleep(1, controller.signal)
    setTimeout(() => controller.abort(), 1)
    stand(20)
    await expect(sleeping).rejects.toMatchObject({ code: 'aborted' })
  })

  it('leaves no listener at its end', async () => {
    const { signal } = new AbortController()
    await systemClock.sleep(1, signal)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('a delayed action', () => {
  it('runs once, at its time', async () => {
    const done: string[] = []
    await new Promise<void>((resolve) => {
      systemClock.after(0, () => void done.push('now'))
      systemClock.after(20, resolve)
    })
    expect(done).toEqual(['now'])
  })

  it('does not run at once with a delay of a month', async () => {
    const done: string[] = []
    const stop = systemClock.after(31 * 24 * 3_600_000, () => void done.push('month'))
    await systemClock.sleep(20, new AbortController().signal)
    stop()
    expect(done).toEqual([])
  })

  it('does not run if cancelled, even between its time and its turn', async () => {
    const done: string[] = []
    const stops = [1, 60_000, 0].map((ms) => systemClock.after(ms, () => void done.push(`${ms}`)))
    setTimeout(() => stops[0]?.(), 1)
    stops[1]?.()
    stops[2]?.()
    stand(20)
    await systemClock.sleep(20, new AbortController().signal)
    expect(done).toEqual([])
  })
})
