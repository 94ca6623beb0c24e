import type { PermissionMode } from '../permission.ts'

/** Modes that Shift+Tab cycles through. */
export const cycledModes: readonly PermissionMode[] = ['default', 'accept-edits', 'plan']

/** Returns the next mode in the cycle; `default` after a mode that is only chosen by name. */
export function nextMode(mode: PermissionMode | undefined): PermissionMode {
  return cycledModes[cycledModes.indexOf(mode ?? 'default') + 1] ?? 'default'
}
