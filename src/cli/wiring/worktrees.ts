import type { CommandRunner } from '../../command.ts'
import { PipeError } from '../../error.ts'
import type { Worktrees } from '../../worktree.ts'
import type { Machine } from '../machine.ts'

export async function openWorktrees(
  _machine: Machine,
  _kind: 'elves',
  _commands: CommandRunner,
): Promise<Worktrees> {
  throw new PipeError('tool', 'there are no worktrees yet')
}
