import { isInForeground } from '../../files/process-start.ts'
import type { StageOptions } from '../../ink/stage.ts'
import { tell } from '../../terminal/output.ts'
import type { RunContext } from '../run-context.ts'
import { watchJob } from '../signals.ts'
import { converse } from './converse.ts'

/** Runs a conversation on a full terminal screen. Returns the exit code. */
export function tui(context: RunContext): Promise<number> {
  const { host, interruption, signal } = context
  const loading = import('../../ink/tui.ts')
  // `run` gets its failure. If no conversation opens, nobody waits for it.
  loading.catch(() => undefined)
  return converse(context, {
    pick: async (sessions) => {
      const { pickSession } = await import('../../ink/session-picker.ts')
      const notes: string[] = []
      const note = (text: string) => void notes.push(text)
      const now = host.clock.now()
      const id = await onStage(context, (stage) => pickSession({ ...stage, sessions, now, note }))
      for (const text of notes) tell(host, text)
      return id
    },
    run: async (conversation) => {
      const { runTui } = await loading
      const { sessionId } = await onStage(context, (stage) =>
        runTui({
          ...stage,
          view: conversation.view(),
          abilities: {
            ...conversation.abilities(signal),
            stopElf: (name) => void conversation.view().elves?.stop(name),
          },
          watchInterrupt: interruption.divert,
        }),
      )
      return sessionId
    },
  })
}

/** Shows a screen on the terminal, and restores the terminal even if the program crashes. */
async function onStage<T>(
  { host, interruption, signal }: RunContext,
  show: (stage: StageOptions) => Promise<T>,
): Promise<T> {
  const dying = new AbortController()
  try {
    return await show({
      stdin: process.stdin,
      stdout: process.stdout,
      clock: host.clock,
      colors: (host.env['NO_COLOR'] ?? '') === '',
      signal,
      onGone: () => interruption.raise('SIGHUP'),
      onRestorable: (restore) => onDeath(restore, dying.signal),
      isForeground: isInForeground,
      watchJob,
    })
  } finally {
    dying.abort()
  }
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
