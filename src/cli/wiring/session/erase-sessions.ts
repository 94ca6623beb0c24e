import { findDirectories } from '../../../config/directories.ts'
import { hasCode, isPipeError, type PipeError, throwIfAborted } from '../../../error.ts'
import { forgetTurns } from '../../../git/checkpoints/forget.ts'
import { type Deletion, deleteStoredFiles, type StoredFiles } from '../../../json/stored-files.ts'
import type { SessionSummary } from '../../../session.ts'
import { lockHolder, type Machine } from '../../machine.ts'
import { openRedactor } from '../audit/open-audit-log.ts'
import { openSessionRecall } from '../memory/session-search.ts'
import { withCommands } from '../with-commands.ts'
import { openShadow, takeNote } from './open-checkpoints.ts'

/** A session to delete. With a size, only if its file has it still. */
export type Erasable = Pick<SessionSummary, 'id' | 'cwd' | 'size'>

/** The outcome for one session. */
export interface Erasure<Session extends Erasable> {
  readonly session: Session
  /** The reason why it stays: another process is writing it, or has written to it. */
  readonly conflict?: PipeError | undefined
}

export interface Erasing {
  readonly machine: Machine
  readonly stored: StoredFiles
  /** Milliseconds to wait for a session that another process writes. Default: 0. */
  readonly waitMs?: number
  readonly signal: AbortSignal
}

/**
 * Deletes sessions one by one as they are pulled, with their files, and at the end what can be undone of them. Keeps the audit
 * logs: they record what was done. Throws `permission`, `internal`.
 */
export async function* eraseSessions<Session extends Erasable>(
  sessions: readonly Session[],
  erasing: Erasing,
): AsyncGenerator<Erasure<Session>, void, undefined> {
  const { machine, stored, signal } = erasing
  const erased: Session[] = []
  try {
    for (const session of sessions) {
      throwIfAborted(signal)
      const { id, size } = session
      const deletion = { id, names: stored.get(id) ?? [], size }
      const conflict = await erase(deletion, erasing)
      if (conflict === undefined) erased.push(session)
      yield { session, conflict }
    }
  } finally {
    await forgetAll(erased, machine)
  }
}

/** Deletes files. Returns the `conflict` if another process writes the session, or did so since they were chosen. */
export async function erase(
  deletion: Deletion,
  { machine, waitMs = 0, signal }: Omit<Erasing, 'stored'>,
): Promise<PipeError | undefined> {
  const { sessions: directory } = findDirectories(machine.env, machine.home)
  try {
    await deleteStoredFiles(deletion, { ...lockHolder(machine, signal), directory, waitMs }, signal)
    return undefined
  } catch (error) {
    if (hasCode(error, 'conflict')) return error
    throw error
  }
}

/** Forgets notes to the model, words that a search finds, and the turns that could be undone. */
async function forgetAll(erased: readonly Erasable[], machine: Machine): Promise<void> {
  if (erased.length === 0) return
  await forgetWords(erased, machine)
  await forgetFiles(erased, machine)
}

async function forgetWords(erased: readonly Erasable[], machine: Machine): Promise<void> {
  try {
    const recall = await openSessionRecall(machine, { redact: await openRedactor(machine), tidies: false })
    try {
      const ids = erased.map(({ id }) => id)
      await recall.forget(ids, { signal: unstoppable() })
    } finally {
      await recall.close()
    }
  } catch (error) {
    if (!isPipeError(error)) throw error
    machine.warn(`words of deleted sessions stay in the index until the next search: ${error.message}`)
  }
}

/** The sessions are gone by then, so the rest is done even if the caller stops. */
function unstoppable(): AbortSignal {
  return new AbortController().signal
}

async function forgetFiles(erased: readonly Erasable[], machine: Machine): Promise<void> {
  const ids = new Set<string>(erased.map(({ id }) => id))
  for (const id of ids) takeNote(machine, id)
  const folders = new Set(erased.flatMap(({ cwd }) => cwd ?? []))
  try {
    await withCommands(machine, async (commands) => {
      for (const cwd of folders)
        await forgetTurns(await openShadow({ ...machine, cwd }, commands), ids, unstoppable())
    })
  } catch (error) {
    // A project may have moved into the home folder's place, or git may be gone.
    if (!isPipeError(error)) throw error
    machine.warn(`turns of deleted sessions are still in the list of pipe undo: ${error.message}`)
  }
}
