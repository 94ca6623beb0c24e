import defaultPrompt from '../../agent/system.md'
import type { AuditLog } from '../../audit.ts'
import { withoutTags } from '../../characters/tag-characters.ts'
import { findDirectories } from '../../config/directories.ts'
import type { Settings } from '../../config/settings.ts'
import { redactedStore } from '../../json/sessions/redacted-store.ts'
import { createSessionStore } from '../../json/sessions/session-store.ts'
import type { Redact } from '../../redaction/redaction.ts'
import type { SessionStore } from '../../session.ts'
import type { Machine } from '../machine.ts'
import { openAudit, openRedactor } from './audit/open-audit-log.ts'
import { reportingStore } from './audit/record-failure.ts'
import { meaningRanker } from './memory/memory-meaning.ts'
import { openRunMemories, type RunMemories } from './memory/open-memories.ts'
import { type LazyRecall, lazyRecall } from './memory/session-search.ts'
import { createTurnRecall } from './memory/turn-recall.ts'
import { openToOthers } from './open-to-others.ts'
import type { Choices } from './run-choices.ts'
import { nameScratch, removeScratch, sessionScratch } from './scratch.ts'
import { joinTaskSessions } from './session/all-sessions.ts'
import { PeerTranscript } from './session/peer-transcript.ts'
import { type ChosenSession, chooseSession } from './session/session-choice.ts'
import type { WireContext } from './wire-context.ts'

/** The stored data of a conversation. */
export interface Records extends ChosenSession {
  readonly audit: AuditLog
  /** Another conversation has written the same system prompt to the audit log. Default: no. */
  readonly isPromptAudited?: boolean
  readonly systemPrompt: string
  /** Removes what sessions must not hold from their titles. */
  readonly redactTitle: Redact
  /** Folder for files of this run, created on demand and removed at the end. */
  readonly scratch: string
  /** Folder for files of this conversation, created on demand. Kept with its session; without one removed at the end. */
  readonly files: string
  /** The session in the format that hooks read; absent if nothing is saved. */
  readonly transcript?: PeerTranscript | undefined
  /** Search in all sessions on disk; absent if the caller stores them. */
  readonly recall?: LazyRecall | undefined
  /** The memories; absent if the settings turn them off. */
  readonly memories?: RunMemories | undefined
  /** Adds what was saved since the last call to the index of that search. */
  indexTurn(): Promise<void>
}

/** Opens or starts the session, takes its lock, and opens its audit log, which only the lock's holder may write. */
export async function openRecords({
  machine,
  choices,
  parts,
  signal,
  directories,
  loaded,
  closing,
}: WireContext): Promise<Records> {
  const { settings } = loaded
  const scratch = nameScratch(machine)
  closing.add(() => removeScratch(scratch))
  const given = composeSystemPrompt(choices, settings)
  const redact = await openRedactor(machine, settings)
  const recall =
    parts.store === undefined
      ? lazyRecall(machine, { redact, tidies: choices.interactive, settings })
      : undefined
  const turns = recall && createTurnRecall(recall.open)
  const indexTurn = async () => turns?.add()
  closing.add(() => recall?.close())
  // After the session is closed: the answer must not wait.
  closing.add(indexTurn)
  const wrap = (store: SessionStore) =>
    settings.redact_sessions === true ? redactedStore(reportingStore(store), redact) : reportingStore(store)
  const onDisk = wrap(openSessions(machine, choices.lockWaitMs))
  const files = turns?.noting(onDisk) ?? onDisk
  const all = joinTaskSessions({ machine, files, wrap })
  closing.add(() => all.close())
  // The newest session of the folder is one on disk: `-c` waits for no database.
  const list: SessionStore['list'] = (listing) => files.list(listing)
  const store = parts.store === undefined ? { ...all, list } : wrap(parts.store)
  const redactTitle: Redact = settings.redact_sessions === true ? redact : (text) => text
  const chosen = await chooseSession({ store, choices, machine, systemPrompt: given, redactTitle, signal })
  closing.add(() => chosen.log.close())
  const { audit: detail } = settings
  const openElsewhere = parts.openAudit ?? all.openAudit
  const audit =
    (detail === 'off' ? undefined : openElsewhere(chosen.log, { redact, detail })) ??
    openAudit(machine, chosen.log, { detail, isKept: chosen.id !== undefined, redact })
  closing.add(() => audit.close())
  const { earlier, id, warnings } = chosen
  const { root, shared } = loaded.trust
  const memories = await openRunMemories(
    { machine, directories, root, shared, redact, session: id },
    settings.memory ?? {},
    meaningRanker(machine, settings, shared),
  )
  return {
    ...chosen,
    warnings: [...warnings, ...(memories?.faults ?? []), ...openToOthers(directories)],
    audit,
    redactTitle,
    systemPrompt: choices.systemPrompt !== undefined ? given : (earlier?.systemPrompt ?? given),
    scratch,
    recall,
    memories,
    indexTurn,
    files: id === undefined ? scratch : sessionScratch(id, machine),
    transcript: transcriptOf(id, { machine, redact: redactTitle }),
  }
}

function transcriptOf(
  id: ChosenSession['id'],
  { machine, redact }: { readonly machine: Machine; readonly redact: Redact },
): PeerTranscript | undefined {
  return id && new PeerTranscript({ machine, id, files: sessionScratch(id, machine), redact })
}

/** Opens the sessions on disk. `waitMs` is how long to wait for a session that another process is writing. */
export function openSessions(
  { clock, pid, hostname, env, home }: Pick<Machine, 'clock' | 'pid' | 'hostname' | 'env' | 'home'>,
  waitMs: number | undefined = undefined,
): SessionStore {
  const { sessions } = findDirectories(env, home)
  return createSessionStore({ directory: sessions, clock, pid, host: hostname, waitMs })
}

/** Opens the sessions on disk and those of tasks in a database, passes them on, and closes them. */
export async function withAllSessions<Result>(
  machine: Machine,
  work: (store: SessionStore) => Promise<Result>,
): Promise<Result> {
  const store = joinTaskSessions({ machine, files: openSessions(machine) })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Returns the system prompt of a new session. */
export function composeSystemPrompt(
  { systemPrompt, moreSystemPrompt: more }: Pick<Choices, 'systemPrompt' | 'moreSystemPrompt'>,
  settings: Settings,
): string {
  const base = systemPrompt ?? settings.system_prompt ?? defaultPrompt.trim()
  return withoutTags(more === undefined ? base : `${base}\n\n${more}`)
}
