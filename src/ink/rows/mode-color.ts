import type { PermissionMode } from '../../permission.ts'
import type { Color } from './theme.ts'

/** Returns the colour of the name of a mode. The one that asks nothing stands out. */
export function modeColor(mode: PermissionMode | undefined): Color {
  return mode === 'bypass' ? 'warning' : 'muted'
}
