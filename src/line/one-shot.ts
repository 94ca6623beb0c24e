import { WatchedQuestions } from '../agent/conversation/watched-questions.ts'
import type { Deadline } from '../agent/limits/deadline.ts'
import type { Clock } from '../clock.ts'
import { bugOf, type Ending, type LocalConversation, type Watched } from '../conversation.ts'
import { isPipeError } from '../error.ts'
import type { AgentEvent } from '../event.ts'
import type { EndingSignal } from '../frontend/ending-signal.ts'
import type { UserMessage } from '../message.ts'
import { BrokenPipe, type Output, printWarning } from '../terminal/output.ts'
import type { AskLine } from './line-question.ts'
import { denialNotice, noticeOf, warnOfLoss, warnOfUnsaved } from './notices.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { judgeFailure, judgeTurn, type Outcome } from './outcome.ts'
import type { Reporter, RunHeader } from './reporter.ts'
import { type ResultSpending, RunResult } from './run-result.ts'
import { SilenceWatch } from './silence.ts'

export interface OneShot {
  readonly reporter: Reporter
  readonly stderr: Output
  /** Drops notices. */
  readonly quiet: boolean
  readonly clock: Clock
  readonly interruption: { readonly cause: EndingSignal | undefined }
  /** Asks the user at the controlling terminal. */
  readonly askLine: AskLine
  /** Starts the time limit of the run. Throws `usage`. */
  startDeadline(): Deadline
  /** Opens a conversation and its message. Throws `PipeError`. */
  open(signal: AbortSignal): Promise<OpenRun>
}

/** An open conversation and the message to send. */
export interface OpenRun {
  readonly conversation: LocalConversation
  /** Absent if the run only answers the open questions of its session. */
  readonly message: UserMessage | undefined
  readonly header: RunHeader
  readonly warnings: readonly string[]
  readonly notices: readonly string[]
  /** Spending since it was opened. */
  spent(): ResultSpending
  close(): Promise<void>
}

/** Runs one prompt as one turn, and those that follow from elves in the background, within the time limit. Returns the outcome. Reports a failure and then throws it. */
export async function runOneShot(run: OneShot): Promise<Outcome> {
  const { clock, reporter, interruption } = run
  const started = clock.monotonic()
  let deadline: Deadline | undefined
  let reported = false
  const report: Report = (result, outcome, sessionId) => {
    reported = true
    const durationMs = Math.round(clock.monotonic() - started)
    reporter.end(result, outcome, result.toJson(outcome, { sessionId, durationMs }))
  }
  try {
    deadline = run.startDeadline()
    return await carryOut(run, deadline.signal, report)
  } catch (thrown) {
    const error = (isPipeError(thrown) ? deadline?.error : undefined) ?? thrown
    if (!reported && !(error instanceof BrokenPipe))
      report(new RunResult(), judgeFailure(error, interruption.cause))
    throw error
  } finally {
    deadline?.end()
  }
}

type Report = (result: RunResult, outcome: Outcome, sessionId?: string) => void

async function carryOut(run: OneShot, signal: AbortSignal, report: Report): Promise<Outcome> {
  const { reporter, quiet, clock, askLine, interruption } = run
  const opened = await run.open(signal)
  const { conversation, message, header, warnings, notices } = opened
  const silence = reporter.note && new SilenceWatch(clock, (line) => reporter.note?.(line))
  try {
    for (const warning of warnings) printWarning(run, warning)
    if (!quiet) for (const notice of notices) printWarning(run, notice)
    reporter.begin(header)
    const result = new RunResult()
    const ask = oneAtATime(askLine)
    const questions = new WatchedQuestions(conversation, async (question) => {
      const { putQuestion } = await import('./line-question.ts')
      return putQuestion(question, ask, signal)
    })
    const ending = await follow(conversation, message, {
      signal,
      onWatched: (watched) => {
        if (watched.type === 'event') {
          silence?.see(watched.event)
          if (watched.isOwn) show(watched.event, result, run)
          else reporter.elfEvent?.(watched.event)
        }
        questions.see(watched)
        if (questions.failure !== undefined) throw questions.failure.error
      },
    }).finally(() => questions.close())
    const outcome = judgeTurn(ending, interruption.cause)
    result.settle(opened.spent())
    report(result, outcome, header.sessionId)
    const denied = denialNotice(result.denials)
    if (denied !== undefined) reporter.notice?.(denied)
    return outcome
  } finally {
    silence?.close()
    await opened.close()
  }
}

function show(event: AgentEvent, result: RunResult, run: OneShot): void {
  const { reporter, quiet } = run
  result.add(event)
  if (event.type === 'turn_start' && event.message !== undefined) warnOfLoss(event.message, run)
  // With `-v` the reporter itself shows these notes.
  if (!quiet && reporter.note === undefined) warnOfUnsaved(event, run)
  reporter.event(event)
  const notice = noticeOf(event)
  if (notice !== undefined) reporter.notice?.(notice)
}

interface Following {
  /** Ends the turn, or the waiting for elves. */
  readonly signal: AbortSignal
  /** Takes what happens, in order. If it throws, the turn is interrupted and `follow` throws that error. */
  readonly onWatched: (watched: Watched) => void
}

/** Sends a message and follows the conversation until nothing goes on by itself, or a turn has failed. Returns the end of the last turn. */
async function follow(
  conversation: LocalConversation,
  message: UserMessage | undefined,
  { signal, onWatched }: Following,
): Promise<Ending> {
  const stop = new AbortController()
  const watching = conversation.watch({ keepsPace: true, signal: stop.signal })
  const onAbort = () => {
    void conversation.interrupt(signal.reason)
    // Only elves are at work.
    if (!conversation.isRunning) stop.abort()
  }
  let ending: Ending = { stopReason: 'aborted' }
  try {
    const sent = message === undefined ? conversation.goOn() : conversation.send(message)
    // Those who watch are told of a message that was refused.
    sent.catch(() => undefined)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    for await (const watched of watching) {
      if (watched.type === 'settled') break
      onWatched(watched)
      if (watched.type !== 'ended') continue
      ending = watched.ending
      const bug = bugOf(ending)
      if (bug !== undefined) throw bug
      if (ending.error !== undefined || signal.aborted) break
    }
    return signal.aborted ? stopped(ending, signal) : ending
  } catch (error) {
    await conversation.interrupt()
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** The end of a run that was stopped, perhaps while only elves were at work. */
function stopped(ending: Ending, { reason }: AbortSignal): Ending {
  return {
    ...ending,
    stopReason: 'aborted',
    error: ending.error ?? (isPipeError(reason) ? reason : undefined),
  }
}
