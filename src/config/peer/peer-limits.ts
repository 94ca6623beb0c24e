import { PipeError } from '../../error.ts'
import type { JsonObject } from '../../json-value.ts'
import type { PermissionMode } from '../../permission.ts'
import type { Layer, SettingsSource } from '../layers.ts'

/** Limits that settings of another agent set besides rules and a mode. They count at once, whoever wrote the file. */
export interface PeerLimits {
  /** The files that forbid the mode `bypass`. */
  readonly noBypass: readonly SettingsSource[]
  /** The servers of the project's `.mcp.json` that do not run, by name. */
  readonly noServers: readonly string[]
}

const bypassField = 'disableBypassPermissionsMode'
const serverField = 'disabledMcpjsonServers'

/** The fields of such settings that set limits, as reports name them. */
export const limitFields: readonly string[] = [serverField, `permissions.${bypassField}`]

/** Most servers of a list. */
const most = 1_000

/** Reads the limits of a file. */
export function readPeerLimits(
  document: JsonObject,
  permissions: JsonObject,
  source: SettingsSource,
): PeerLimits {
  const off = permissions[bypassField]
  const listed = document[serverField]
  const servers = Array.isArray(listed) ? listed : [listed]
  return {
    noBypass: off === 'disable' || off === true ? [source] : [],
    noServers: servers.filter((name) => typeof name === 'string').slice(0, most),
  }
}

/** Whether the text of a file that is no JSON may forbid the mode. */
export function mayForbidBypass(text: string): boolean {
  return text.includes(bypassField) || text.includes('\\u')
}

/** Returns a layer that resets the mode `bypass` if a file forbids it; `undefined` if none is needed. */
export function withoutBypass(mode: PermissionMode | undefined, { noBypass }: PeerLimits): Layer | undefined {
  const [source] = noBypass
  return mode !== 'bypass' || source === undefined
    ? undefined
    : { source, settings: { permissions: { mode: 'default' } } }
}

/** Returns the `usage` error for the mode `bypass` if a file forbids it. */
export function bypassRefusal(
  mode: PermissionMode,
  { noBypass }: Pick<PeerLimits, 'noBypass'>,
): PipeError | undefined {
  const [source] = noBypass
  if (mode !== 'bypass' || source === undefined) return undefined
  return new PipeError('usage', `${source.name} forbids the mode bypass (permissions.${bypassField})`)
}
