import type { PermissionMode } from '../../permission.ts'

/** Names of a mode on the screen: one word, and the end of a sentence about pipe. */
interface ModeWords {
  readonly short: string
  readonly long: string
}

/** Says what the mode `bypass` means, for the moment when it begins. */
export const bypassNote =
  'Mode bypass: calls run without asking, unless a deny or ask rule matches or a removal could not be undone.'

export const modeWords: Readonly<Record<PermissionMode, ModeWords>> = {
  plan: { short: 'plan', long: 'plans and changes nothing' },
  default: { short: 'ask', long: 'asks before edits and commands' },
  'accept-edits': { short: 'accept edits', long: 'edits freely, asks before commands' },
  auto: { short: 'auto', long: 'works freely inside the sandbox' },
  bypass: { short: 'bypass', long: 'asks almost nothing' },
}

/** Says what a mode means, for the moment when it begins. */
export function modeNote(mode: PermissionMode): string {
  const { short, long } = modeWords[mode]
  return mode === 'bypass' ? bypassNote : `Mode ${short}: pipe ${long}.`
}
