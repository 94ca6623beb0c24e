import { followTurns, type TurnStart } from '../agent/conversation/follow-turns.ts'
import { WatchedQuestions } from '../agent/conversation/watched-questions.ts'
import type { Deadline } from '../agent/limits/deadline.ts'
import type { Clock } from '../clock.ts'
import type { LocalConversation, Watched } from '../conversation.ts'
import { isPipeError } from '../error.ts'
import type { EndingSignal } from '../frontend/ending-signal.ts'
import type { JsonObject } from '../json-value.ts'
import { BrokenPipe, type Output, printWarning } from '../terminal/output.ts'
import type { CheckVerdict } from '../turn-hooks.ts'
import type { AnswerForm } from './answer/answer-form.ts'
import { inForm } from './answer/picked-outcome.ts'
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
  /** Default: the whole answer is printed. */
  readonly form?: AnswerForm | undefined
  /** Starts the time limit of the run. Throws `usage`. */
  startDeadline(): Deadline
  /** Opens a conversation. Throws `PipeError`. */
  open(signal: AbortSignal): Promise<OpenRun>
}

/** An open conversation and what to begin there. */
export interface OpenRun {
  readonly conversation: LocalConversation
  /** Absent if the run only answers the open questions of its session. */
  readonly start: TurnStart | undefined
  /** Answers the prompt without a turn. Default: a turn does. */
  readonly report?: string | undefined
  readonly header: RunHeader
  readonly warnings: readonly string[]
  readonly notices: readonly string[]
  /** Spending since it was opened. */
  spent(): ResultSpending
  /** Returns the last verdict of the user's check; `undefined` without one. */
  checked?(): CheckVerdict | undefined
  /** Makes the patch of a run on a copy; absent for others. `isGood`: the run ended well. */
  patch?(isGood: boolean): Promise<Patch>
  /** Makes the envelope for the next pipe from the JSON of the run; absent unless one is asked for. */
  envelope?(json: JsonObject): string
  close(): Promise<void>
}

/** The changes of a run on a copy. */
export interface Patch {
  readonly text: string
  /** Notes that it was printed. The changes are kept until then. */
  readonly onPrinted: () => void
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
  const { conversation, start, header, warnings, notices } = opened
  const silence = reporter.note && new SilenceWatch(clock, (line) => reporter.note?.(line))
  try {
    for (const warning of warnings) printWarning(run, warning)
    if (!quiet) for (const notice of notices) printWarning(run, notice)
    reporter.begin(header)
    const result = new RunResult()
    if (opened.report !== undefined) {
      result.say(opened.report)
      result.envelope = opened.envelope
      report(result, { exitCode: 0 }, header.sessionId)
      return { exitCode: 0 }
    }
    const ask = oneAtATime(askLine)
    const questions = new WatchedQuestions(conversation, async (question) => {
      const { putQuestion } = await import('./line-question.ts')
      return putQuestion(question, ask, signal)
    })
    const ending = await followTurns(conversation, start, {
      signal,
      onWatched: (watched) => {
        if (watched.type === 'event') silence?.see(watched.event)
        const shown = watched.type === 'event' ? show(watched, result, run) : undefined
        questions.see(watched)
        if (questions.failure !== undefined) throw questions.failure.error
        return shown
      },
    }).finally(() => questions.close())
    const outcome = inForm(judgeTurn(ending, interruption.cause), result, run.form)
    result.settle(opened.spent())
    result.check = opened.checked?.()
    warnOfCheckFiles(result.check, run)
    result.envelope = opened.envelope
    const patch = await opened.patch?.(outcome.exitCode === 0)
    result.patch = patch?.text
    report(result, outcome, header.sessionId)
    patch?.onPrinted()
    const denied = denialNotice(result.denials)
    if (denied !== undefined) reporter.notice?.(denied)
    return outcome
  } finally {
    silence?.close()
    await opened.close()
  }
}

/** Says which files of the check changed, since a model can make a check pass by changing them. */
function warnOfCheckFiles(check: CheckVerdict | undefined, run: OneShot): void {
  if (check === undefined || check.changedFiles.length === 0) return
  const files = check.changedFiles.join(', ')
  printWarning(
    run,
    `the run changed files of its own check: ${files}; review them before you trust the check`,
  )
}

type WatchedEvent = Extract<Watched, { type: 'event' }>

function show({ event, isOwn }: WatchedEvent, result: RunResult, run: OneShot): void | Promise<void> {
  const { reporter, quiet } = run
  if (!isOwn) return reporter.elfEvent?.(event)
  result.add(event)
  if (event.type === 'turn_start' && event.message !== undefined) warnOfLoss(event.message, run)
  // With `-v` the reporter itself shows these notes.
  if (!quiet && reporter.note === undefined) warnOfUnsaved(event, run)
  const shown = reporter.event(event)
  const notice = noticeOf(event)
  if (notice !== undefined) reporter.notice?.(notice)
  return shown
}
