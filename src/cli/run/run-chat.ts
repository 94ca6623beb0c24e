import { type ChatTerminal, pickByNumber, runChat } from '../../line/chat.ts'
import type { RunContext } from '../run-context.ts'
import { hasScreenReader } from '../screen-reader.ts'
import { lookOf } from '../wiring/tools/known-tools.ts'
import { converse } from './converse.ts'
import { reportApi } from './report-api.ts'

/** Runs a conversation line by line, for simple terminals. Returns the exit code. */
export function chat(context: RunContext): Promise<number> {
  const { host, flags, interruption, signal } = context
  const terminal: ChatTerminal = {
    keyboard: process.stdin,
    echo: process.stderr,
    look: lookOf,
    ...(hasScreenReader(context) ? { aloud: host.clock } : {}),
    stdout: host.stdout,
    stderr: host.stderr,
    columns: () => process.stderr.columns ?? 80,
    signal,
    onGone: () => interruption.raise('SIGHUP'),
    watchInterrupt: interruption.divert,
  }
  return converse(context, {
    pick: ({ here, hasAny, elsewhere }) => pickByNumber(hasAny ? here : elsewhere(), terminal),
    run: (conversation) => {
      const reports = reportApi(context, conversation)
      return runChat({
        ...terminal,
        firstPrompt: flags.text('prompt-interactive'),
        conversation: {
          view: () => conversation.view(),
          api: (stop) => ({ ...conversation.api(stop), ...reports }),
        },
      })
    },
  })
}
