import { driveTurns } from '../agent/drive-turns.ts'
import type { Deadline } from '../agent/limits/deadline.ts'
import type { Clock } from '../clock.ts'
import type { ElvesAtWork } from '../elf.ts'
import type { Engine } from '../engine.ts'
import { isPipeError } from '../error.ts'
import type { EndingSignal } from '../frontend/ending-signal.ts'
import type { UserMessage } from '../message.ts'
import { BrokenPipe, type Output, printWarning } from '../terminal/output.ts'
import { denialNotice, noticeOf, warnOfLoss, warnOfUnsaved } from './notices.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { judgeFailure, judgeTurn, type Outcome } from './outcome.ts'
import type { AskLine } from './question.ts'
import type { Reporter, RunHeader } from './reporter.ts'
import { RunResult, type Spending } from './result.ts'
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
  readonly engine: Engine
  /** Absent if the run only answers the open questions of its session. */
  readonly message: UserMessage | undefined
  readonly header: RunHeader
  readonly warnings: readonly string[]
  readonly notices: readonly string[]
  /** Absent if the model starts none. */
  readonly elves: ElvesAtWork | undefined
  /** Spending since it was opened. */
  spent(): Spending
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
  const { engine, message, header, warnings, notices, elves } = opened
  const silence = reporter.note && new SilenceWatch(clock, (line) => reporter.note?.(line))
  try {
    for (const warning of warnings) printWarning(run, warning)
    if (!quiet) for (const notice of notices) printWarning(run, notice)
    reporter.begin(header)
    const result = new RunResult()
    const ask = oneAtATime(askLine)
    const turn = await driveTurns(engine, message, {
      signal,
      elves,
      onEvent: (event) => {
        result.add(event)
        silence?.see(event)
        if (event.type === 'turn_start' && event.message !== undefined) warnOfLoss(event.message, run)
        // With `-v` the reporter itself shows these notes.
        if (!quiet && reporter.note === undefined) warnOfUnsaved(event, run)
        reporter.event(event)
        const notice = noticeOf(event)
        if (notice !== undefined) reporter.notice?.(notice)
      },
      onElfEvent: (event) => {
        silence?.see(event)
        reporter.elfEvent?.(event)
      },
      onQuestion: async (question) => {
        const { answer } = await import('./question.ts')
        return answer(question, ask, signal)
      },
    })
    const outcome = judgeTurn(turn, interruption.cause)
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
