import { expect, it } from 'vitest'
import { type RunningCommand, unfinished } from '../../src/machine/running-command.ts'
import { PipedServer } from '../../src/process/piped-server.ts'
import { deferred } from '../support/clocks/deferred.ts'
import { stillClock } from '../support/clocks/still-clock.ts'

const program = { file: 'server', args: [], cwd: '/', env: {} }

/** A program that runs until it is ended, and tells the journal what is done to it. */
function runningProgram(journal: string[]): RunningCommand {
  const ended = deferred()
  return {
    pid: 1,
    startedAt: 0,
    // biome-ignore lint/correctness/useYield: it writes nothing
    output: async function* () {
      await ended.promise
      return unfinished
    },
    write: () => true,
    end: async () => {
      journal.push('end')
      ended.resolve()
    },
    release: () => void journal.push('release'),
  }
}

it('a server that is closed while it starts is ended', async () => {
  const journal: string[] = []
  const starting = deferred<RunningCommand>()
  const server = new PipedServer({
    commands: { start: () => starting.promise },
    clock: stillClock(),
    program,
    take: () => true,
    onEnd: () => void journal.push('onEnd'),
  })
  const started = server.start()
  const closed = server.close()
  starting.resolve(runningProgram(journal))
  await Promise.all([started, closed])
  expect([journal, server.write('x')]).toEqual([['end', 'onEnd', 'release'], false])
})

it('a server that is closed before it fails to start throws that from its start alone', async () => {
  const failure = new Error('no such program')
  const server = new PipedServer({
    commands: { start: () => Promise.reject(failure) },
    clock: stillClock(),
    program,
    take: () => true,
    onEnd: () => undefined,
  })
  const started = server.start()
  const closed = server.close()
  await expect(started).rejects.toBe(failure)
  await closed
})
