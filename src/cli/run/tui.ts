import { signalExitCodes } from '../../ending-signal.ts'
import { isInForeground } from '../../files/process-start.ts'
import { tell } from '../../terminal/output.ts'
import { readChoices } from '../choices.ts'
import type { Flags } from '../flags.ts'
import type { Host } from '../host.ts'
import { type Interruption, watchJob } from '../signals.ts'
import { wire } from '../wiring/wiring.ts'
import { OpenConversation } from './open-conversation.ts'

/** Runs a conversation on a full terminal screen. */
export async function tui(host: Host, flags: Flags, interruption: Interruption): Promise<number> {
  const { signal } = interruption
  const loading = import('../../ink/tui.ts')
  const choices = readChoices(flags, true)
  const conversation = new OpenConversation(
    host,
    { choices, files: flags.all('file') },
    await wire({ host, choices, signal }),
  )
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
    if (sessionId !== undefined) tell(host, `resume with: pipe -r ${sessionId}`)
    return interruption.cause === undefined ? 0 : signalExitCodes[interruption.cause]
  } finally {
    dying.abort()
    await conversation.close()
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
