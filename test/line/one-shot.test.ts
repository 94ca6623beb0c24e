import { describe, expect, it } from 'vitest'
import { startDeadline } from '../../src/agent/limits/deadline.ts'
import { lookOf } from '../../src/cli/wiring/tools/known-tools.ts'
import { PipeError } from '../../src/error.ts'
import { type OneShot, type OpenRun, runOneShot } from '../../src/line/one-shot.ts'
import { openReporter } from '../../src/line/output-formats.ts'
import { jsonReporter } from '../../src/line/reporter.ts'
import { BrokenPipe } from '../../src/terminal/output.ts'
import { noUsage } from '../../src/usage.ts'
import { stillClock } from '../support/clocks/still-clock.ts'
import { openAgent, round, says } from '../support/conversations/agent.ts'
import { driven } from '../support/conversations/driven.ts'
import { capture } from '../support/conversations/host.ts'
import { text, user } from '../support/messages/messages.ts'
import { thrown } from '../support/thrown.ts'

const unused = () => Promise.reject(new Error('not expected'))

interface Scene extends Partial<Pick<OneShot, 'quiet' | 'reporter' | 'startDeadline'>> {
  readonly opened?: Partial<OpenRun>
  readonly open?: OneShot['open']
}

/** Runs a prompt that the model answers with `done`. */
function scene({ opened, ...given }: Scene = {}) {
  const journal: string[] = []
  const [stdout, stderr] = [capture(false), capture(false)]
  const clock = stillClock()
  const run: OneShot = {
    reporter: jsonReporter(stdout),
    stderr,
    quiet: false,
    clock,
    interruption: { cause: undefined },
    askLine: unused,
    startDeadline: () => startDeadline(clock, undefined, new AbortController().signal),
    open: async () => ({
      conversation: driven(openAgent({ rounds: [round(says('done'))] }).conversation),
      start: user(text('work')),
      header: { sessionId: 'abc', model: 'replay/script', cwd: '/here' },
      warnings: [],
      notices: [],
      spent: () => ({ usage: noUsage, costUsd: undefined }),
      close: async () => void journal.push('closed'),
      ...opened,
    }),
    ...given,
  }
  const told = () => ({ stdout: stdout.text(), stderr: stderr.text(), journal })
  return { run, told }
}

describe('a one-shot run', () => {
  it('reports the answer and closes the conversation', async () => {
    const { run, told } = scene()
    expect(await runOneShot(run)).toEqual({ exitCode: 0 })
    expect(JSON.parse(told().stdout)).toMatchObject({ result: 'done', session_id: 'abc', exit_code: 0 })
    expect(told().journal).toEqual(['closed'])
  })

  it.each([
    [false, 'pipe: damaged\npipe: chosen\n'],
    [true, 'pipe: damaged\n'],
  ])('always shows warnings, and notices unless quiet: %s', async (quiet, stderr) => {
    const { run, told } = scene({ quiet, opened: { warnings: ['damaged'], notices: ['chosen'] } })
    await runOneShot(run)
    expect(told().stderr).toBe(stderr)
  })

  it('reports why it could not start, and throws that', async () => {
    const error = new PipeError('config', 'no such model')
    const { run, told } = scene({ open: () => Promise.reject(error) })
    expect(await thrown(() => runOneShot(run))).toBe(error)
    expect(JSON.parse(told().stdout)).toMatchObject({ exit_code: 52, error: { message: 'no such model' } })
  })

  it('reports an invalid time limit too', async () => {
    const error = new PipeError('usage', 'not a duration')
    const startDeadline = () => {
      throw error
    }
    const { run, told } = scene({ startDeadline, open: unused })
    expect(await thrown(() => runOneShot(run))).toBe(error)
    expect(JSON.parse(told().stdout)).toMatchObject({ exit_code: 2 })
  })

  it('names the time limit as the reason if it ended the opening', async () => {
    const spent = new PipeError('budget', 'out of time')
    const { signal } = new AbortController()
    const { run } = scene({
      startDeadline: () => ({ signal, error: spent, end: () => undefined }),
      open: () => Promise.reject(new PipeError('aborted', 'interrupted')),
    })
    expect(await thrown(() => runOneShot(run))).toBe(spent)
  })

  it('writes nothing more and closes the conversation when its reader is gone', async () => {
    const gone = new BrokenPipe()
    const reporter = {
      begin: () => undefined,
      event: () => {
        throw gone
      },
      end: () => unused(),
    }
    const { run, told } = scene({ reporter })
    expect(await thrown(() => runOneShot(run))).toBe(gone)
    expect(told()).toEqual({ stdout: '', stderr: '', journal: ['closed'] })
  })
})

describe('the reporter of a format', () => {
  it.each([
    { format: 'text', verbose: false, quiet: false, note: false, notice: true },
    { format: 'text', verbose: true, quiet: false, note: true, notice: true },
    { format: 'text', verbose: true, quiet: true, note: false, notice: false },
    { format: 'json', verbose: false, quiet: false, note: false, notice: true },
    { format: 'json', verbose: false, quiet: true, note: false, notice: false },
    { format: 'stream-json', verbose: true, quiet: false, note: true, notice: true },
    { format: 'stream-json', verbose: true, quiet: true, note: false, notice: false },
  ])('shows what $format with verbose $verbose and quiet $quiet should', async (row) => {
    const reporter = await openReporter(
      { stdout: capture(false), stderr: capture(false) },
      { ...row, look: lookOf },
    )
    const tells = { note: reporter.note !== undefined, notice: reporter.notice !== undefined }
    expect(tells).toEqual({ note: row.note, notice: row.notice })
  })

  it('reports activity on a terminal without being asked', async () => {
    const row = { format: 'text', verbose: false, quiet: false }
    const reporter = await openReporter(
      { stdout: capture(false), stderr: capture(true) },
      { ...row, look: lookOf },
    )
    expect(reporter.note).toBeDefined()
  })
})
