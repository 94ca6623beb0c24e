import { describe, expect, it } from 'vitest'
import type { CommandExit, CommandOutput } from '../../src/machine/running-command.ts'
import { rerun } from '../../src/sandbox/rerun.ts'

type Piece = readonly [stream: 'stdout' | 'stderr', text: string]

const line = "bwrap: Can't create file at /x: Read-only file system\n"

async function* play(pieces: readonly Piece[], exitCode: number): AsyncGenerator<CommandOutput, CommandExit> {
  for (const [stream, text] of pieces) yield { stream, chunk: Buffer.from(text) }
  return { exitCode, signal: null, timedOut: false, durationMs: 1 }
}

/** Runs attempts in order. Returns the pieces that were yielded, the exit code, and how many attempts there were. */
async function run(...attempts: readonly (readonly [pieces: readonly Piece[], exitCode: number])[]) {
  let begun = 0
  const begin = () => play(...(attempts[Math.min(begun++, attempts.length - 1)] ?? [[], 0]))
  const output = rerun(begin(), { isOutdated: (text) => text === line, again: async () => begin() })
  const pieces: Piece[] = []
  let step = await output.next()
  for (; step.done !== true; step = await output.next())
    pieces.push([step.value.stream, Buffer.from(step.value.chunk).toString()])
  return { pieces, exitCode: step.value.exitCode, begun }
}

const done = [[['stdout', 'done']], 0] as const

describe('a command that did not start, because a path vanished', () => {
  it.each<[string, readonly Piece[]]>([
    ['in one piece', [['stderr', line]]],
    [
      'in several pieces',
      [
        ['stderr', 'bwrap: '],
        ['stderr', line.slice(7, -5)],
        ['stderr', line.slice(-5)],
      ],
    ],
  ])('is started again, told %s', async (_, pieces) => {
    expect(await run([pieces, 1], done)).toEqual({ pieces: [['stdout', 'done']], exitCode: 0, begun: 2 })
  })

  it('is started five times at most', async () => {
    expect(await run([[['stderr', line]], 1])).toEqual({ pieces: [['stderr', line]], exitCode: 1, begun: 5 })
  })
})

describe('a command that has started', () => {
  it.each<[string, readonly Piece[], number]>([
    [
      'wrote to stdout too',
      [
        ['stderr', line],
        ['stdout', 'x'],
      ],
      1,
    ],
    [
      'wrote to stdout before',
      [
        ['stdout', 'x'],
        ['stderr', line],
      ],
      1,
    ],
    [
      'wrote another line after it',
      [
        ['stderr', line],
        ['stderr', 'more\n'],
      ],
      1,
    ],
    ['failed in another way', [['stderr', 'bwrap: execvp x: No such file or directory\n']], 1],
    ['succeeded', [['stderr', line]], 0],
    ['wrote nothing', [], 1],
  ])('runs once if it %s', async (_, pieces, exitCode) => {
    expect(await run([pieces, exitCode], done)).toEqual({ pieces, exitCode, begun: 1 })
  })

  it('has its output passed on at once', async () => {
    const output = rerun(
      play(
        [
          ['stdout', 'a'],
          ['stderr', 'b'],
        ],
        0,
      ),
      {
        isOutdated: () => false,
        again: () => Promise.reject(new Error('not again')),
      },
    )
    expect((await output.next()).value).toMatchObject({ stream: 'stdout' })
    await output.return({ exitCode: null, signal: null, timedOut: false, durationMs: 0 })
    expect((await output.next()).done).toBe(true)
  })
})
