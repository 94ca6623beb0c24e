import { findDirectories } from '../../config/directories.ts'
import { findAudit, newestAudit } from '../../json/audit/read.ts'
import type { RunContext } from '../run-context.ts'
import { trustLog } from '../wiring/audit-log.ts'

/** A session's log, or the log of folder trust. */
export interface NamedLog {
  readonly session: string
  readonly directory: string
}

/** Finds the log that a text names, or that of the last conversation in this folder. Throws `input`. */
export async function findLog(
  text: string | undefined,
  { host, signal }: Pick<RunContext, 'host' | 'signal'>,
): Promise<NamedLog> {
  const trust = trustLog(host)
  if (text === trust.session) return { ...trust, session: await findAudit(text, trust) }
  const directory = findDirectories(host.env, host.home).audit
  const session = await (text === undefined
    ? newestAudit(host.cwd, { directory, signal })
    : findAudit(text, { directory }))
  return { session, directory }
}
