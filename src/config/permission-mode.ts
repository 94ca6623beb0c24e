import { isJsonObject, type JsonValue } from '../json-value.ts'
import { type PermissionMode, permissionModes } from '../permission.ts'

export function isLooser(mode: PermissionMode, than: PermissionMode): boolean {
  return permissionModes.indexOf(mode) > permissionModes.indexOf(than)
}

/** Other names of modes: those of other agents, and the screen's word for the default one. Accepted as input. */
export const peerModes: Readonly<Record<string, PermissionMode>> = {
  ask: 'default',
  manual: 'default',
  acceptEdits: 'accept-edits',
  bypassPermissions: 'bypass',
}

/** Modes in the words that hooks and programs for other agents know. */
export const peerModeWords: Readonly<Record<PermissionMode, string>> = {
  plan: 'plan',
  default: 'default',
  'accept-edits': 'acceptEdits',
  auto: 'auto',
  bypass: 'bypassPermissions',
}

/** Sandbox mode names of other agents, for settings and `--sandbox`. */
export const peerSandboxes: Readonly<Record<string, string>> = { 'danger-full-access': 'off' }

/** Reads a mode by our name or another agent's; `undefined` for any other value. */
export function readPermissionMode(value: JsonValue): PermissionMode | undefined {
  const own = ownName(value, peerModes)
  return permissionModes.find((one) => one === own)
}

/** Replaces other agents' names for permission and sandbox modes in settings with ours. */
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
