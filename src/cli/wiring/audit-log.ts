import { join } from 'node:path'
import { localUser } from '../../actor.ts'
import type { AuditDecision, AuditLog } from '../../audit.ts'
import { secretValues } from '../../builtin/command/child-env.ts'
import { findDirectories } from '../../config/directories.ts'
import { whileLocked } from '../../config/private-file.ts'
import type { SessionId } from '../../id.ts'
import { createAuditLog } from '../../json/audit/log.ts'
import type { JsonObject } from '../../json-value.ts'
import { createRedactor, type Redact } from '../../redaction.ts'
import { type Host, lockHolder } from '../host.ts'
import { openKeys } from './keys.ts'

/** The audit log of a session, whose lock the caller holds. */
export function openAudit(host: Host, session: SessionId, redact: Redact): AuditLog {
  return openLog(host, { session, directory: findDirectories(host.env, host.home).audit }, redact)
}

/** The log of what was decided about folders and belongs to no session. Its folder holds no session's log, so that no name is taken. */
export function trustLog({ env, home }: Pick<Host, 'env' | 'home'>) {
  return { session: 'trust', directory: join(findDirectories(env, home).audit, 'folders') }
}

/** Keeps what a person decided about a folder; on the disk when it resolves. Throws `conflict` where another process is at it for 3 s. */
export async function auditTrust(
  host: Host,
  entry: { readonly decision: AuditDecision; readonly audit: JsonObject },
  signal: AbortSignal,
): Promise<void> {
  const place = trustLog(host)
  await whileLocked(join(place.directory, place.session), lockHolder(host, signal), async () => {
    const log = openLog(host, place, await openRedactor(host))
    log.append({ actor: localUser, ...entry })
    await log.close()
  })
}

function openLog(
  { clock, cwd, newId }: Host,
  place: { readonly session: string; readonly directory: string },
  redact: Redact,
): AuditLog {
  return createAuditLog({ ...place, cwd, clock, newId, redact })
}

/** What takes secrets out of all that is kept: the stored keys, and the variables that look like secrets. Throws `config`. */
export async function openRedactor(host: Host): Promise<Redact> {
  return createRedactor([...secretValues(host.env), ...(await openKeys(host)).values()])
}
