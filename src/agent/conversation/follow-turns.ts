import { bugOf, type Ending, type LocalConversation, type Watched } from '../../conversation.ts'
import type { Command } from '../../engine.ts'
import { failureOf, isPipeError } from '../../error.ts'
import type { UserMessage } from '../../message.ts'
import { PromptRefused } from '../../turn-hooks.ts'

/** Begins a turn: a message, or a command that has a turn of its own. */
export type TurnStart = UserMessage | Extract<Command, { readonly type: 'compact' }>

export interface Following {
  /** Ends the turn, or the waiting for elves. */
  readonly signal: AbortSignal
  /** Takes what happens, in order, after the promise of the last time. If it throws, the turn is interrupted and `followTurns` throws that error. */
  readonly onWatched: (watched: Watched) => void | Promise<void>
}

/** Begins a turn, or goes on with what an earlier run left, and follows the conversation until nothing goes on by itself, or a turn has failed. Returns the end of the last turn. */
export async function followTurns(
  conversation: LocalConversation,
  start: TurnStart | undefined,
  { signal, onWatched }: Following,
): Promise<Ending> {
  const stop = new AbortController()
  const watching = conversation.watch({ keepsPace: true, signal: stop.signal })
  const onAbort = () => {
    void conversation.interrupt(signal.reason)
    // Only elves are at work.
    if (!conversation.isRunning) stop.abort()
  }
  let ending: Ending | undefined
  try {
    const sent = begin(conversation, start)
    // No turn tells of a message that a hook refused.
    sent.catch((error: unknown) => {
      if (error instanceof PromptRefused) stop.abort()
    })
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    for await (const watched of watching) {
      if (watched.type === 'settled') break
      const taken = onWatched(watched)
      if (taken !== undefined) await taken
      if (watched.type !== 'ended') continue
      ending = watched.ending
      const bug = bugOf(ending)
      if (bug !== undefined) throw bug
      if (ending.error !== undefined || signal.aborted) break
    }
    if (signal.aborted) return stopped(ending ?? { stopReason: 'aborted' }, signal)
    if (ending !== undefined) return ending
    const error = await failureOf(sent)
    return error === undefined ? { stopReason: 'aborted' } : { stopReason: 'error', error }
  } catch (error) {
    await conversation.interrupt()
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function begin(conversation: LocalConversation, start: TurnStart | undefined): Promise<unknown> {
  if (start === undefined) return conversation.goOn()
  return start.type === 'compact' ? conversation.compact(start.keep) : conversation.send(start)
}

/** The end of a run that was stopped, perhaps while only elves were at work. */
function stopped(ending: Ending, { reason }: AbortSignal): Ending {
  return {
    ...ending,
    stopReason: 'aborted',
    error: ending.error ?? (isPipeError(reason) ? reason : undefined),
  }
}
