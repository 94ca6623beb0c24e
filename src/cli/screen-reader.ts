import type { RunContext } from './run-context.ts'

/** Whether the user has a screen reader: lines in words instead of a screen. */
export function hasScreenReader({ host, flags }: Pick<RunContext, 'host' | 'flags'>): boolean {
  return flags.has('screen-reader') || !['', '0'].includes(host.env['PIPE_SCREEN_READER'] ?? '')
}

/** Whether the terminal shows lines as they are: for a screen reader, or with TERM=dumb. Nothing is drawn on it. */
export function isLineTerminal(context: Pick<RunContext, 'host' | 'flags'>): boolean {
  return context.host.env['TERM'] === 'dumb' || hasScreenReader(context)
}
