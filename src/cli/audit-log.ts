import type { AuditLog } from '../audit.ts'
import { childEnvironment } from '../builtin/child-env.ts'
import { findDirectories } from '../config/directories.ts'
import type { SessionId } from '../id.ts'
import { createAuditLog } from '../json/audit-log.ts'
import { createRedactor, type Redact } from '../redaction.ts'
import type { Host } from './host.ts'
import { openKeys } from './keys.ts'

/** The audit log of a session, whose lock the caller holds. */
export function openAudit(host: Host, session: SessionId, redact: Redact): AuditLog {
  const { clock, cwd, newId, env, home } = host
  return createAuditLog({
    directory: findDirectories(env, home).audit,
    ...{ session, cwd, clock, newId, redact },
  })
}

/** What takes secrets out of all that is kept: the stored keys, and the variables that commands may not see. Throws `config`. */
export async function openRedactor(host: Host): Promise<Redact> {
  const shown = childEnvironment(host.env)
  const hidden = Object.entries(host.env).flatMap(([name, value]) =>
    Object.hasOwn(shown, name) ? [] : [value],
  )
  return createRedactor([...hidden, ...(await openKeys(host)).values()])
}
