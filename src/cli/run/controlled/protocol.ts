import type { Flags } from '../../flags.ts'

/** Whether the lines are those of Claude Code. The flags that its Agent SDKs always give mean them too. */
export function isPeerProtocol(flags: Flags): boolean {
  const isSdk = flags.isDriven && flags.format === 'stream-json' && flags.has('verbose')
  return (flags.text('protocol') ?? (isSdk ? 'claude' : 'pipe')) === 'claude'
}
