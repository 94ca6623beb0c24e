import { join } from 'node:path'
import { findDirectories } from '../../../config/directories.ts'
import { hasCode, isPipeError } from '../../../error.ts'
import { isLocked } from '../../../files/lock/lock.ts'
import type { SessionId } from '../../../id.ts'
import { auditPath } from '../../../json/audit/log.ts'
import { findAudit, newestAudit, readAuditLines } from '../../../json/audit/read-audit-log.ts'
import type { RunContext } from '../../run-context.ts'
import { trustLog } from '../../wiring/audit/open-audit-log.ts'
import { openSessions } from '../../wiring/session-records.ts'
import { findTaskStore } from '../../wiring/tasks/task-store.ts'
import type { NamedLog } from './named-log.ts'

type Context = Pick<RunContext, 'host' | 'signal'>

/** Passes on the log that a text names, or that of the last conversation in this folder. Throws `input`. */
export async function withLog<Result>(
  text: string | undefined,
  context: Context,
  work: (log: NamedLog) => Promise<Result>,
): Promise<Result> {
  const local = await findLocal(text, context).catch((error) => {
    if (text === undefined || !hasCode(error, 'input')) throw error
    return error
  })
  if (!isPipeError(local)) return work(local)
  const url = await findTaskStore(context.host)
  if (url === undefined) throw local
  const { withSharedLog } = await import('./shared-audit.ts')
  const found = await withSharedLog(String(text), { ...context, url }, work)
  if (found === undefined) throw local
  return found.result
}

async function findLocal(text: string | undefined, { host, signal }: Context): Promise<NamedLog> {
  const trust = trustLog(host)
  if (text === trust.session)
    return onDisk(await findAudit(text, trust), { directory: trust.directory, signal })
  const { audit: directory, sessions: folder } = findDirectories(host.env, host.home)
  const session = await (text === undefined
    ? newestAudit(host.cwd, { directory, signal })
    : findAudit(text, { directory }))
  const lock = join(folder, `${session}.lock`)
  return {
    ...onDisk(session, { directory, signal }),
    sessions: openSessions(host),
    isGrowing: async () => isLocked(lock, { host: host.hostname, clock: host.clock }),
  }
}

function onDisk(
  session: SessionId,
  options: { readonly directory: string; readonly signal: AbortSignal },
): NamedLog {
  return {
    session,
    place: auditPath(options.directory, session),
    lines: () => readAuditLines(session, options),
    isGrowing: async () => false,
  }
}
