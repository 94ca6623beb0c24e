import type { RunContext } from './run-context.ts'

/** Whether the user has a screen reader: lines in words instead of a screen. */
export function hasScreenReader({ host, flags }: Pick<RunContext, 'host' | 'flags'>): boolean {
  return flags.has('screen-reader') || !['', '0'].includes(host.env['PIPE_SCREEN_READER'] ?? '')
}
