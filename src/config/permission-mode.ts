import { isJsonObject, type JsonValue } from '../json-value.ts'
import type { PermissionMode } from '../permission.ts'

/** From the strictest to the loosest. */
export const permissionModes: readonly PermissionMode[] = [
  'plan',
  'default',
  'accept-edits',
  'auto',
  'bypass',
]

export function isLooser(mode: PermissionMode, than: PermissionMode): boolean {
  return permissionModes.indexOf(mode) > permissionModes.indexOf(than)
}

/** What other agents call a mode. It is taken wherever one is read, and never shown. */
export const peerModes: Readonly<Record<string, PermissionMode>> = {
  acceptEdits: 'accept-edits',
  bypassPermissions: 'bypass',
}

/** The same for where commands run, as settings and `--sandbox` say it. */
export const peerSandboxes: Readonly<Record<string, string>> = { 'danger-full-access': 'off' }

/** The mode that is meant, under our name or another's; `undefined` where none is. */
export function readPermissionMode(value: JsonValue): PermissionMode | undefined {
  const own = ownName(value, peerModes)
  return permissionModes.find((one) => one === own)
}

/** Settings as they stand in a file, with our names where others' stand for a mode or for where commands run. */
export function inOwnNames(settings: JsonValue): JsonValue {
  const permissions = renameMode(settings, 'permissions', peerModes)
  return renameMode(permissions, 'sandbox', peerSandboxes)
}

function renameMode(settings: JsonValue, field: string, names: Readonly<Record<string, string>>): JsonValue {
  if (!isJsonObject(settings)) return settings
  const part = settings[field]
  if (!isJsonObject(part) || part['mode'] === undefined) return settings
  return { ...settings, [field]: { ...part, mode: ownName(part['mode'], names) } }
}

function ownName(name: JsonValue, names: Readonly<Record<string, string>>): JsonValue {
  return typeof name === 'string' && Object.hasOwn(names, name) ? (names[name] ?? name) : name
}
