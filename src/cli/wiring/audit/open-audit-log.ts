import { join } from 'node:path'
import { localUser } from '../../../actor.ts'
import type { AuditDecision, AuditLog } from '../../../audit.ts'
import { secretValues } from '../../../builtin/command/child-env.ts'
import { findDirectories } from '../../../config/directories.ts'
import { signInPath } from '../../../config/mcp/sign-in-path.ts'
import { whileLocked } from '../../../config/private-file.ts'
import type { Settings } from '../../../config/settings.ts'
import { isPipeError } from '../../../error.ts'
import { lookThrough } from '../../../files/look.ts'
import { type AuditLogOptions, createAuditLog } from '../../../json/audit/log.ts'
import type { JsonObject } from '../../../json-value.ts'
import { createRedactor, type Redact } from '../../../redaction/redaction.ts'
import type { SessionLog } from '../../../session.ts'
import { lockHolder, type Machine } from '../../machine.ts'
import { keyVariables } from '../model/chosen-server.ts'
import { openKeys } from '../model/provider-keys.ts'
import { pluginSecrets } from '../run-plugins.ts'
import { reportingAudit } from './record-failure.ts'
import { noAudit, spareAudit } from './spare-audit.ts'

export interface AuditOptions {
  /** Level of detail. Default: everything. */
  readonly detail?: Settings['audit']
  /** Whether the session is saved. */
  readonly isKept: boolean
  readonly redact: Redact
}

/** Opens the audit log of a session locked by the caller. An unsaved run continues even if no log can be written. */
export function openAudit(
  machine: Machine,
  session: SessionLog,
  { detail, isKept, redact }: AuditOptions,
): AuditLog {
  if (detail === 'off') return noAudit
  const directory = findDirectories(machine.env, machine.home).audit
  const location = { session: session.id, directory, requireHeld: () => session.requireHeld?.() }
  const log = reportingAudit(openLog(machine, location, { redact, detail }))
  if (isKept) return log
  return spareAudit(log, (reason) =>
    machine.warn(`this run has no audit log: ${reason} (--no-audit turns it off)`),
  )
}

/** Locates the log of decisions on folders. It belongs to no session, and a folder of its own keeps its name from clashing with one. */
export function trustLog({ env, home }: Pick<Machine, 'env' | 'home'>) {
  return { session: 'trust', directory: join(findDirectories(env, home).audit, 'folders') }
}

/**
 * Logs the user's decision on a folder; it is on disk when this resolves. Throws `conflict` if another process holds the lock for
 * 3 s.
 */
export async function auditTrust(
  machine: Machine,
  entry: { readonly decision: AuditDecision; readonly audit: JsonObject },
  signal: AbortSignal,
): Promise<void> {
  const location = trustLog(machine)
  await whileLocked(join(location.directory, location.session), lockHolder(machine, signal), async () => {
    const log = openLog(machine, location, { redact: await openRedactor(machine) })
    log.append({ actor: localUser, ...entry })
    await log.close()
  })
}

function openLog(
  { clock, cwd, newId }: Machine,
  location: Pick<AuditLogOptions, 'session' | 'directory' | 'requireHeld'>,
  kept: Pick<AuditLogOptions, 'redact' | 'detail'>,
): AuditLog {
  return createAuditLog({ ...location, ...kept, cwd, clock, newId })
}

/**
 * Creates the redactor of stored data. It removes the stored keys, those in the variables of servers, the tokens of sign-ins, the secrets
 * of plugins and the values of variables that look like secrets. `settings` name the servers; default: those of this folder. Throws
 * `config`.
 */
export async function openRedactor(machine: Machine, settings?: Settings): Promise<Redact> {
  const { plugins } = findDirectories(machine.env, machine.home)
  const variables = keyVariables(settings ?? (await settingsHere(machine)))
  const keys = [
    ...(await openKeys(machine)).values(),
    ...variables.flatMap((name) => machine.env[name] ?? []),
    ...(await tokensOf(machine)),
    ...(await pluginSecrets(plugins)),
  ]
  return createRedactor([...secretValues(machine.env), ...keys])
}

/** Reads the settings of this folder. Returns none if that fails: a session can be deleted without them. */
async function settingsHere(machine: Machine): Promise<Settings> {
  try {
    const { readAllSettings } = await import('../read-settings.ts')
    return (await readAllSettings(machine, { layers: [], trusts: false })).settings
  } catch (error) {
    if (!isPipeError(error)) throw error
    return {}
  }
}

/** Most users have signed in to no MCP server, and load nothing for it. */
async function tokensOf({ env, home }: Machine): Promise<readonly string[]> {
  const directories = findDirectories(env, home)
  if (lookThrough(signInPath(directories.config)) === undefined) return []
  const { storedTokens } = await import('../tools/sign-in-file.ts')
  return storedTokens(directories)
}
