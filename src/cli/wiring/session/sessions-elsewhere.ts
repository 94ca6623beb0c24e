import { join } from 'node:path'
import { findRoot, realPathOf } from '../../../config/trust/project-root.ts'
import { lookThrough } from '../../../files/look.ts'
import { commitsIn } from '../../../git/worktrees/origin.ts'
import { createCommandRunner } from '../../../process/command-runner.ts'
import type { SessionElsewhere, SessionStore, SessionSummary } from '../../../session.ts'
import type { Machine } from '../../machine.ts'
import { projectFolders } from '../project-folders.ts'

/**
 * Lists the conversations of other folders: first those that began on a commit which the repository of this folder has, as it was moved,
 * or is another worktree or a clone. Anybody can clone a history, so they are only offered to the user. May start git.
 */
export async function* conversationsElsewhere(
  machine: Machine,
  { store, signal }: { readonly store: SessionStore; readonly signal: AbortSignal },
): AsyncGenerator<SessionElsewhere, undefined, undefined> {
  const others: SessionSummary[] = []
  for await (const summary of store.list({ signal })) if (isOther(summary, machine)) others.push(summary)
  const related = new Set(await ofRepository(others, machine, signal))
  for (const one of related) yield { ...one, isOfRepository: true }
  for (const one of others) if (!related.has(one)) yield { ...one, isOfRepository: false }
}

/**
 * Says how to find the sessions of a folder that has none, as it may have been moved: names one of its repository, first of a folder
 * that is gone. `undefined` if these sessions are neither of the repository nor of a folder that is gone.
 */
export async function describeElsewhere(
  sessions: readonly SessionSummary[],
  machine: Machine,
  signal: AbortSignal,
): Promise<string | undefined> {
  const others = sessions.filter((one) => isOther(one, machine))
  const related = await ofRepository(others, machine, signal)
  const newest = related.find(isMoved) ?? related[0]
  if (newest === undefined)
    return others.some(isMoved) ? 'pipe sessions --all lists those of folders that are gone' : undefined
  const place = `${newest.cwd}${isMoved(newest) ? ', which is gone' : ''}`
  return `this repository has a session of ${place}: pipe -r ${newest.id} continues it here, pipe sessions --all lists more`
}

/** Says the same if this folder has no sessions. */
export async function describeIfEmpty(
  store: SessionStore,
  machine: Machine,
  signal: AbortSignal,
): Promise<string | undefined> {
  const others: SessionSummary[] = []
  for await (const summary of store.list({ signal })) {
    if (summary.cwd === machine.cwd && summary.parentId === undefined) return undefined
    others.push(summary)
  }
  return describeElsewhere(others, machine, signal)
}

/** Whether the folder of a session does not exist any more, or is reached by another path now. */
function isMoved({ cwd }: SessionSummary): boolean {
  return cwd !== undefined && realPathOf(cwd) !== cwd
}

/** Whether it is a conversation of another folder. Those of elves are continued by their ids alone. */
function isOther({ cwd, parentId, fault }: SessionSummary, machine: Machine): boolean {
  return cwd !== undefined && cwd !== machine.cwd && parentId === undefined && fault === undefined
}

/** Selects the sessions that began on a commit of this folder's repository. Without git, none. */
async function ofRepository(
  sessions: readonly SessionSummary[],
  machine: Machine,
  signal: AbortSignal,
): Promise<readonly SessionSummary[]> {
  const wanted = new Set(sessions.flatMap(({ gitCommit }) => gitCommit ?? []))
  const { cwd, env, clock } = machine
  if (wanted.size === 0 || lookThrough(join(findRoot(cwd, ['.git']), '.git')) === undefined) return []
  const commands = createCommandRunner({ clock, projectFolders: projectFolders(machine) })
  try {
    const place = { commands, cwd, searchPath: env['PATH'] ?? '', signal }
    const known = await commitsIn(place, [...wanted])
    return sessions.filter(({ gitCommit = '' }) => known.has(gitCommit))
  } finally {
    await commands.close()
  }
}
