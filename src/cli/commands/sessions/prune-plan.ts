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
import { isIn } from '../../wiring/session/sessions-in.ts'
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
export async function planPruning(context: RunContext): Promise<PrunePlan> {
  const { host } = context
  const { sessions: directory } = findDirectories(host.env, host.home)
  const stored = listStoredFiles(directory)
  const isBusy = (id: SessionId) => isInUse(id, { directory, host: host.hostname, clock: host.clock })
  const { seen, conversations, elves } = await chooseOld(context)
  const old = new Set<SessionId>()
  const sessions: OldSession[] = []
  const kept: KeptSession[] = []
  const take = async (summary: SessionSummary) => {
    const { id } = summary
    const reason = reasonToKeep(summary, isBusy)
    if (reason !== undefined) return void kept.push({ id, reason })
    old.add(id)
    sessions.push({ ...summary, bytes: await storedBytes(directory, stored.get(id) ?? []) })
  }
  for (const summary of conversations) await take(summary)
  for (const { summary, parentId, mayGoAlone } of elves) {
    const isMissing = stored.get(parentId)?.includes(`${parentId}.json`) !== true
    if (old.has(parentId) || (mayGoAlone && isMissing)) await take(summary)
  }
  const leftovers: Leftover[] = []
  for (const [id, all] of stored) {
    const names = leftoversOf(id, all)
    const isForeign = all.includes(`${id}.json`) && !seen.has(id)
    if (names.length === 0 || isForeign || old.has(id) || isBusy(id)) continue
    leftovers.push({ id, names, bytes: await storedBytes(directory, names) })
  }
  return { sessions, leftovers, kept, stored }
}

/** The session of an elf. It goes when its parent does, wherever it worked. */
interface ElfSession {
  readonly summary: SessionSummary
  readonly parentId: SessionId
  /** Whether it goes too if its parent is missing. */
  readonly mayGoAlone: boolean
}

/** Lists the sessions in question by their ids, the old conversations among them, and the elves of all folders. Throws `usage`. */
async function chooseOld({ host, flags, signal }: RunContext) {
  const keep = flags.count('keep', 0)
  const ageMs = flags.age('older-than')
  const isOld = ageJudge({ keep, ageMs, now: host.clock.now() })
  const hasLimit = keep !== undefined || ageMs !== undefined
  const seen = new Set<SessionId>()
  const conversations: SessionSummary[] = []
  const elves: ElfSession[] = []
  let place = 0
  for await (const summary of openSessions(host).list({ signal })) {
    const { id, parentId } = summary
    const isHere = flags.has('all') || isIn(host.cwd, summary)
    if (isHere) seen.add(id)
    if (parentId !== undefined) elves.push({ summary, parentId, mayGoAlone: isHere && hasLimit })
    else if (isHere) {
      place += 1
      if (isOld(summary, place)) conversations.push(summary)
    }
  }
  return { seen, conversations, elves }
}

interface Ages {
  readonly keep: number | undefined
  readonly ageMs: number | undefined
  readonly now: number
}

/** Judges by age and by place among the conversations, from 1. One is old if every given limit says so; none is without limits. */
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
