import { execa } from 'execa'
import type { ProgramCall } from '../machine/running-command.ts'
import { cannotStart } from './spawn-group.ts'

/** The end of a program that had the terminal. */
export interface TerminalExit {
  /** `null` if a signal ended the program. */
  readonly exitCode: number | null
}

/**
 * Runs a program of the user on the terminal itself, such as a pager or an editor, until it ends. The caller must not use the terminal
 * meanwhile. Throws `tool` if it cannot start.
 */
export async function runOnTerminal(program: ProgramCall): Promise<TerminalExit> {
  const { file, args, cwd, env } = program
  const result = await execa(file, args, { cwd, env, extendEnv: false, stdio: 'inherit', reject: false })
  if (result.exitCode === undefined && result.signal === undefined) throw cannotStart(program, result.cause)
  return { exitCode: result.exitCode ?? null }
}
