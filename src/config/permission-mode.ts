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
