import { join } from 'node:path'
import { PipeError } from '../../../error.ts'
import type { GitWorktrees } from '../../../git/worktrees/worktrees.ts'
import { textMessage } from '../../../history/new-message.ts'
import type { CommandRunner } from '../../../machine/running-command.ts'
import { printWarning } from '../../../terminal/output.ts'
import type { RunContext } from '../../run-context.ts'
import { openCheckpoints } from '../../wiring/session/open-checkpoints.ts'

export interface Applying {
  readonly id: string
  readonly worktrees: GitWorktrees
  readonly commands: CommandRunner
}

/**
 * Merges a result into the user's files, and saves them before, so that `pipe undo` takes it back. Returns the paths. Throws `conflict`,
 * `not_found`.
 */
export async function applyResult(
  { id, worktrees, commands }: Applying,
  { host, signal }: Pick<RunContext, 'host' | 'signal'>,
): Promise<readonly string[]> {
  const checkpoints = openCheckpoints(host, commands, host.newId.session())
  checkpoints.begin(textMessage(`pipe race apply ${id}`, host))
  const saved = await checkpoints.save({ signal, keepsFiles: true })
  for (const note of saved?.notes ?? []) printWarning(host, note)
  try {
    const { files } = await worktrees.diff(id, { signal })
    for (const { path } of files) await checkpoints.keep(join(host.cwd, path), { signal })
    const { applied, conflicts } = await worktrees.apply(id, { signal })
    if (conflicts.length > 0) throw inConflict(id, conflicts)
    return applied
  } finally {
    await checkpoints.end()
  }
}

function inConflict(id: string, paths: readonly string[]): PipeError {
  const why = `your files have changed in the same places: ${paths.join(', ')}`
  return new PipeError(
    'conflict',
    `nothing was applied, because ${why}; pipe race show ${id} prints the diff`,
  )
}

/** Says what was applied. */
export function describeApplied(id: string, applied: readonly string[]): string {
  return applied.length === 0
    ? `${id} has already been applied`
    : `applied ${id}: ${applied.join(', ')}; pipe undo reverts it`
}
