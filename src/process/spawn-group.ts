import type { ChildProcess, StdioOptions } from 'node:child_process'
import { closeSync } from 'node:fs'
import { PipeError } from '../error.ts'
import type { ProgramCall } from '../machine/running-command.ts'
import type { StartedChild } from './child-command.ts'
import type { OutputPipe } from './output-pipes.ts'

export interface Ends {
  readonly stdin: 'empty' | 'open'
  /** For stdout and stderr. */
  readonly pipe?: OutputPipe | undefined
  /** Whether the program waits to be released. */
  readonly waits?: true
}

export interface LocatedProgram extends ProgramCall {
  /** The name passed to the program as its own. */
  readonly name: string
}

/** Runs the program once a byte arrives at descriptor 3. Exits if the sender is gone. */
const gate = 'read -r _ <&3 || exit; exec 3<&- "$0" "$@"'

/** Passes on variables whose names a shell rejects and drops, such as bash's functions. */
function withOddVariables({ env, file, args }: ProgramCall): readonly string[] {
  const odd = Object.entries(env).filter(([name]) => !/^[A-Za-z_]\w*$/.test(name))
  const setting = odd.map(([name, value]) => `${name}=${value}`)
  return odd.length === 0 ? [file, ...args] : ['/usr/bin/env', '--', ...setting, file, ...args]
}

/** Starts a program in its own process group. Throws `tool` if that fails. */
export async function spawnGroup(program: LocatedProgram, ends: Ends): Promise<StartedChild> {
  const { spawn } = await import('node:child_process')
  const { file, name, args, cwd, env } = program
  const { stdin, pipe, waits } = ends
  const output = pipe?.writer ?? 'pipe'
  try {
    const stdio: StdioOptions = [stdin === 'open' ? 'pipe' : 'ignore', output, output]
    const options = { cwd, env, detached: true }
    const child =
      waits === true
        ? spawn('/bin/sh', ['-c', gate, ...withOddVariables(program)], {
            ...options,
            stdio: [...stdio, 'pipe'],
          })
        : spawn(file, [...args], { ...options, argv0: name, stdio })
    const { pid } = child
    const sources = pipe === undefined ? child : { stdout: pipe.source, stderr: null }
    if (pid !== undefined) return { child, pid, sources, go: opening(child) }
    throw await new Promise((resolve) => child.once('error', resolve))
  } catch (error) {
    pipe?.source.destroy()
    throw cannotStart(program, error)
  } finally {
    if (pipe !== undefined) closeSync(pipe.writer)
  }
}

/** Returns a function that releases a waiting program. */
function opening({ stdio: [, , , door] }: ChildProcess): (() => void) | undefined {
  if (door == null || !('end' in door)) return undefined
  // The program may have ended while it waited.
  door.on('error', () => door.destroy())
  return () => door.end('\n', () => door.destroy())
}

export function cannotStart({ file, cwd }: ProgramCall, error: unknown): PipeError {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return new PipeError('tool', `cannot start ${file} in ${cwd}: ${reason}`, {
    cause: error,
    details: { file, cwd, reason },
  })
}
