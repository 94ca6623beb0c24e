import type { PermissionMode } from '../permission.ts'

/** Modes that Shift+Tab cycles through. */
export const cycledModes: readonly PermissionMode[] = ['default', 'accept-edits', 'plan']

interface CycleOptions {
  /** Whether the user has chosen `bypass` in this conversation, which makes it the last of the cycle. */
  readonly hasBypass: boolean
  /** Whether a mode can be set. Default: each can. */
  readonly canSet?: (mode: PermissionMode) => boolean
}

/** Returns the next mode in the cycle that can be set, and the next one if none can; `default` after a mode that is only chosen by name. */
export function nextMode(
  mode: PermissionMode = 'default',
  { hasBypass, canSet = () => true }: CycleOptions,
): PermissionMode {
  const modes = hasBypass ? [...cycledModes, 'bypass' as const] : cycledModes
  const at = modes.indexOf(mode) + 1
  const others = [...modes.slice(at), ...modes.slice(0, at)].filter((one) => one !== mode)
  return others.find(canSet) ?? others[0] ?? 'default'
}
