import type { PermissionMode } from '../../permission.ts'
import type { Color } from './theme.ts'

const colors: Readonly<Record<PermissionMode, Color>> = {
  default: 'muted',
  'accept-edits': 'good',
  plan: 'list',
  auto: 'heading',
  bypass: 'bad',
}

/** Returns the colour of a mode: of its name, and of the rules around the prompt. The one that asks nothing is red. */
export function modeColor(mode: PermissionMode | undefined): Color {
  return mode === undefined ? 'muted' : colors[mode]
}
