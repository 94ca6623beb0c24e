import type { OptionName } from '../cli-options.ts'

/** Lists the flags of a run that hold for all clients of a server. */
export const servedFlags: readonly OptionName[] = [
  'model',
  'agent',
  'permission-mode',
  'allowed-tools',
  'disallowed-tools',
  'sandbox',
  'on-ask',
  'max-turns',
  'max-cost',
  'max-tokens',
  'max-time',
  'quiet',
]
