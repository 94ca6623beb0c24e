import { tmpdir } from 'node:os'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/cli/system-clock.ts'
import type {
  CommandOutput,
  CommandRunner,
  OutputLog,
  ProcessTable,
} from '../../src/machine/running-command.ts'
import { createCommandRunner } from '../../src/process/command-runner.ts'
import { createProcessTable } from '../../src/process/process-table.ts'
import { untilGone } from '../support/programs/processes.ts'

let runner: CommandRunner
let table: ProcessTable
beforeEach(() => {
  runner = createCommandRunner({ clock: systemClock })
  table = createProcessTable()
})
afterEach(async () => {
  await table.close()
  await runner.close()
})

/** A log that keeps everything. */
class Words implements OutputLog {
  #text = ''
  closed = false

  get unread(): number {
    return this.#text.length
  }

  get tail(): string {
    return this.#text
  }

  async push({ chunk }: CommandOutput): Promise<string> {
    const text = Buffer.from(chunk).toString()
    this.#text += text
    return text
  }

  take() {
    const text = this.#text
    this.#text = ''
    return { text, bytes: text.length }
  }

  async close(): Promise<void> {
    this.closed = true
  }
}

async function adopt(command: string) {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin' }
  const program = { file: 'bash', args: ['--norc', '-c', command], cwd: tmpdir(), env }
  const running = await runner.start(program, { stdin: 'open' })
  const log = new Words()
  return { running, log, entry: table.adopt(running, { command, log }) }
}

const ended = { exitCode: 0, signal: null, timedOut: false, durationMs: expect.any(Number) }

describe('a process in the table', () => {
  it('is copied into its log until it ends, and stays listed', async () => {
    const { running, log, entry } = await adopt('echo out; echo err >&2; read -r; echo $REPLY')
    expect(table.list()).toEqual([entry])
    expect([table.find('p1'), table.find('p2')]).toEqual([entry, undefined])
    const { id, command, pid, startedAt, exit } = entry
    expect({ id, command, pid, startedAt, exit }).toEqual({
      id: 'p1',
      command: 'echo out; echo err >&2; read -r; echo $REPLY',
      pid: running.pid,
      startedAt: running.startedAt,
      exit: undefined,
    })
    await expect.poll(() => log.unread).toBe(8)
    expect(log.take().text.split('\n').sort()).toEqual(['', 'err', 'out'])
    expect(entry.write('in\n')).toBe(true)
    await expect.poll(() => entry.exit).toEqual(ended)
    expect([log.take().text, log.closed, entry.write('late')]).toEqual(['in\n', true, false])
    expect(table.list()).toEqual([entry])
  })

  it('is ended by the table, whether or not it ignores TERM', async () => {
    const listens = await adopt('echo ready; exec sleep 600')
    const not = await adopt("trap '' TERM; echo ready; sleep 600 & wait; wait")
    await expect.poll(() => listens.log.unread + not.log.unread).toBe(12)
    await listens.entry.end()
    expect(listens.entry.exit).toEqual({ ...ended, exitCode: null, signal: 'SIGTERM' })
    expect(not.entry.exit).toBe(undefined)
    await table.close()
    expect(not.entry.exit).toEqual({ ...ended, exitCode: null, signal: 'SIGKILL' })
    await untilGone(listens.entry.pid, not.entry.pid)
    await listens.entry.end()
  })
})

it.each([
  [['ls\n'], ''],
  [['ls\nr'], 'r'],
  [['r', 'm'], 'rm'],
  [['r\\', '\nm'], 'r\\\nm'],
  [['r\\\n'], 'r\\\n'],
  [['r', 'm x\n'], ''],
])('tells the line that was begun by %j', async (pieces, begun) => {
  const { entry } = await adopt('exec cat')
  for (const piece of pieces) entry.write(piece)
  expect(entry.begun).toBe(begun)
})

describe('the table', () => {
  it('is full with eight running', async () => {
    const entries: Awaited<ReturnType<typeof adopt>>[] = []
    while (!table.isFull) entries.push(await adopt('exec sleep 600'))
    expect(entries.map(({ entry }) => entry.id)).toEqual(['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8'])
    await entries[3]?.entry.end()
    expect(table.isFull).toBe(false)
  })

  it('drops only those that ended first', async () => {
    const { entry: runs } = await adopt('exec sleep 600')
    for (let i = 0; i < 33; i++) {
      const { entry } = await adopt('true')
      await expect.poll(() => entry.exit, { interval: 5 }).toEqual(ended)
    }
    expect(table.list().map(({ id }) => id)).toEqual([
      runs.id,
      ...Array.from({ length: 31 }, (_, i) => `p${i + 4}`),
    ])
  })
})
