import { cutText } from '../../characters/cut.ts'
import type { Clock } from '../../clock.ts'
import { unreachable } from '../../error.ts'
import type { JsonObject } from '../../json-value.ts'
import type { BackgroundProcess, ProcessTable } from '../../machine/running-command.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { errorResult, type ToolResult, textResult } from '../../tool.ts'
import { defineRunner } from '../runner.ts'
import { limits } from '../tool-limits.ts'
import { exitText } from './exit-text.ts'

/** A process that was silent for this long after output counts as idle. */
const quietMs = 1_000
/** How long to wait for a response to written input. */
const answerMs = 1_000
/** TERM, 3 s, KILL, and 2 s for the rest of its output. */
const endMs = 6_000
const pollMs = 50

/** Reads, awaits, writes to and ends background processes of bash. */
export const process = defineRunner({
  name: 'process',
  schema: (schemas) => schemas.process(),
  async run({ action, id, input, timeout = limits.waitSeconds }, { processes, clock }, { signal }) {
    if (action === 'list') return textResult(list(processes, clock))
    const one = processes.find(id ?? '')
    if (one === undefined) return errorResult(notFound(id, processes))
    const wait = (ms: number, until: 'quiet' | 'end') => settle(one, { ms, until }, clock, signal)
    switch (action) {
      case 'read':
        return report(one)
      case 'wait':
        await wait(Math.min(timeout, limits.bashMaxSeconds) * 1_000, 'quiet')
        return report(one)
      case 'write':
        if (input === undefined) return errorResult('write needs input; an empty one ends stdin')
        if (!one.write(input)) return errorResult(notOpen(one))
        await wait(answerMs, 'quiet')
        return report(one)
      case 'kill':
        void one.end()
        await wait(endMs, 'end')
        return report(one)
      default:
        return unreachable(action)
    }
  },
})

/** Waits until the process has ended, the time is up, or it falls silent after some output. */
async function settle(
  one: BackgroundProcess,
  { ms, until }: { readonly ms: number; readonly until: 'quiet' | 'end' },
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const from = clock.monotonic()
  let heard = { bytes: 0, at: from }
  for (;;) {
    const now = clock.monotonic()
    const bytes = one.log.unread
    if (bytes !== heard.bytes) heard = { bytes, at: now }
    const isQuiet = until === 'quiet' && bytes > 0 && now - heard.at >= quietMs
    if (one.exit !== undefined || isQuiet || now - from >= ms) return
    await clock.sleep(pollMs, signal)
  }
}

function report(one: BackgroundProcess): ToolResult {
  const { id, pid, exit } = one
  const { text, bytes, lines, spill } = one.log.take()
  const state = exit === undefined ? 'running' : exitText(exit)
  const details: JsonObject = {
    process: id,
    pid,
    running: exit === undefined,
    ...omitUndefined({
      exit_code: exit?.exitCode ?? undefined,
      signal: exit?.signal ?? undefined,
      lines,
      spill,
    }),
    bytes,
  }
  return textResult(text === '' ? `[${id}: ${state}; no new output]` : `${text}\n[${id}: ${state}]`, details)
}

function list(processes: ProcessTable, clock: Clock): string {
  const lines = processes.list().map(({ id, pid, command, startedAt, exit }) => {
    const ms = exit === undefined ? clock.now() - startedAt : exit.durationMs
    const state = exit === undefined ? 'running for' : `${exitText(exit)} after`
    const shown = cutText(command.replace(/\s+/g, ' ').trim(), limits.searchLine)
    return `${id}: ${state} ${Math.round(ms / 1_000)} s, pid ${pid}: ${shown}`
  })
  return lines.length === 0 ? 'no processes in the background' : lines.join('\n')
}

function notFound(id: string | undefined, processes: ProcessTable): string {
  const ids = processes.list().map((one) => one.id)
  const wanted = id === undefined ? 'which process? give its id' : `there is no process ${id}`
  if (ids.length === 0) return `${wanted}; none is in the background`
  return `${wanted}; there ${ids.length === 1 ? 'is' : 'are'} ${ids.join(', ')}`
}

/** Commands that timed out into the background have no stdin, and empty input closes it. */
function notOpen({ id }: BackgroundProcess): string {
  return `the stdin of ${id} is not open: to write to it, start it again with background: true`
}
