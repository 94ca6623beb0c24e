import { findDirectories } from '../../../config/directories.ts'
import type { SessionId } from '../../../id.ts'
import {
  isInUse,
  leftoversOf,
  listStoredFiles,
  type StoredFiles,
  storedBytes,
} from '../../../json/stored-files.ts'
import type { SessionSummary } from '../../../session.ts'
import type { RunContext } from '../../run-context.ts'
import { sessionsIn } from '../../wiring/session/sessions-in.ts'
import { openSessions } from '../../wiring/session-records.ts'

/** An old session, and all it occupies. */
export interface OldSession extends SessionSummary {
  readonly bytes: number
}

/** An old session that stays. */
export interface KeptSession {
  readonly id: SessionId
  readonly reason: string
}

/** Files that no session needs, of one id. */
export interface Leftover {
  readonly id: SessionId
  readonly names: readonly string[]
  readonly bytes: number
}

export interface PrunePlan {
  readonly sessions: readonly OldSession[]
  readonly leftovers: readonly Leftover[]
  readonly kept: readonly KeptSession[]
  readonly stored: StoredFiles
}

/** Plans what `sessions prune` deletes: in this folder, or with `--all` in all of them. Throws `usage`. */
export async function planPruning({ host, flags, signal }: RunContext): Promise<PrunePlan> {
  const { sessions: directory } = findDirectories(host.env, host.home)
  const stored = await listStoredFiles(directory)
  const isBusy = (id: SessionId) => isInUse(id, { directory, host: host.hostname, clock: host.clock })
  const isOld = ageJudge({
    keep: flags.count('keep', 0),
    ageMs: flags.age('older-than'),
    now: host.clock.now(),
  })
  const store = openSessions(host)
  const seen = new Set<SessionId>()
  const sessions: OldSession[] = []
  const kept: KeptSession[] = []
  const listed = flags.has('all') ? store.list({ signal }) : sessionsIn(host.cwd, { store, signal })
  for await (const summary of listed) {
    const { id } = summary
    seen.add(id)
    if (!isOld(summary, seen.size)) continue
    const reason = reasonToKeep(summary, isBusy)
    if (reason !== undefined) kept.push({ id, reason })
    else sessions.push({ ...summary, bytes: await storedBytes(directory, stored.get(id) ?? []) })
  }
  const old = new Set(sessions.map(({ id }) => id))
  const leftovers: Leftover[] = []
  for (const [id, all] of stored) {
    const names = leftoversOf(id, all)
    const isForeign = all.includes(`${id}.json`) && !seen.has(id)
    if (names.length === 0 || isForeign || old.has(id) || isBusy(id)) continue
    leftovers.push({ id, names, bytes: await storedBytes(directory, names) })
  }
  return { sessions, leftovers, kept, stored }
}

interface Ages {
  readonly keep: number | undefined
  readonly ageMs: number | undefined
  readonly now: number
}

/** Judges by age and by place in the list, from 1. A session is old if every given limit says so; none is without limits. */
function ageJudge({ keep, ageMs, now }: Ages): (summary: SessionSummary, place: number) => boolean {
  if (keep === undefined && ageMs === undefined) return () => false
  return ({ updatedAt }, place) => place > (keep ?? 0) && now - Date.parse(updatedAt) > (ageMs ?? -Infinity)
}

function reasonToKeep(
  { id, fault, pending }: SessionSummary,
  isBusy: (id: SessionId) => boolean,
): string | undefined {
  if (fault !== undefined) return 'it cannot be read'
  if (pending !== undefined) return 'it waits for an answer'
  return isBusy(id) ? 'another process is writing it' : undefined
}
