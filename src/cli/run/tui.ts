import { isInForeground } from '../../files/process-start.ts'
import type { RunContext } from '../run-context.ts'
import { watchJob } from '../signals.ts'
import { converse } from './converse.ts'

/** Runs a conversation on a full terminal screen. Returns the exit code. */
export function tui(context: RunContext): Promise<number> {
  const { host, interruption, signal } = context
  const loading = import('../../ink/tui.ts')
  return converse(context, async (conversation) => {
    const dying = new AbortController()
    try {
      const { runTui } = await loading
      const { sessionId } = await runTui({
        stdin: process.stdin,
        stdout: process.stdout,
        clock: host.clock,
        colors: (host.env['NO_COLOR'] ?? '') === '',
        view: conversation.view(),
        abilities: conversation.abilities(signal),
        signal,
        onGone: () => interruption.raise('SIGHUP'),
        onRestorable: (restore) => onDeath(restore, dying.signal),
        isForeground: isInForeground,
        watchJob,
        watchInterrupt: interruption.divert,
      })
      return sessionId
    } finally {
      dying.abort()
    }
  })
}

/** Restores the terminal even if the program crashes, before it reports anything. */
function onDeath(restore: () => void, over: AbortSignal): void {
  process.on('uncaughtExceptionMonitor', restore)
  process.on('exit', restore)
  over.addEventListener('abort', () => {
    process.off('uncaughtExceptionMonitor', restore)
    process.off('exit', restore)
  })
}
