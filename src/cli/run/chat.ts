import { runChat } from '../../line/chat.ts'
import type { RunContext } from '../run-context.ts'
import { converse } from './converse.ts'

/** Runs a conversation line by line, for simple terminals. Returns the exit code. */
export function chat(context: RunContext): Promise<number> {
  const { host, interruption, signal } = context
  return converse(context, (conversation) =>
    runChat({
      keyboard: process.stdin,
      echo: process.stderr,
      stdout: host.stdout,
      stderr: host.stderr,
      conversation,
      columns: () => process.stderr.columns ?? 80,
      signal,
      onGone: () => interruption.raise('SIGHUP'),
      watchInterrupt: interruption.divert,
    }),
  )
}
