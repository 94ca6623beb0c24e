import { startDeadline } from '../../../agent/limits/deadline.ts'
import { isPipeError, PipeError } from '../../../error.ts'
import { sha256 } from '../../../files/lazy-crypto.ts'
import type { ResultJournal } from '../../../json/result-journal.ts'
import type { JsonObject } from '../../../json-value.ts'
import type { AskLine } from '../../../line/line-question.ts'
import type { RecordResult } from '../../../line/map/record-result.ts'
import { type OpenRun, runOneShot } from '../../../line/one-shot.ts'
import { judgeFailure, type Outcome } from '../../../line/outcome.ts'
import type { Reporter } from '../../../line/reporter.ts'
import { withActivity } from '../../../line/text.ts'
import type { UserMessage } from '../../../message.ts'
import type { InputRecord } from '../../../records/input-record.ts'
import { isTooLong } from '../../../reply/backoff.ts'
import type { Output, Outputs } from '../../../terminal/output.ts'
import type { Host } from '../../host.ts'
import type { Interruption } from '../../signals.ts'
import { lookOf } from '../../wiring/tools/known-tools.ts'
import type { WiredMany } from '../../wiring/wire-many.ts'
import type { Wired } from '../../wiring/wired.ts'
import { driveWired } from '../driven.ts'
import type { AskedAnswer } from '../message/asked-answer.ts'
import { instructionNotes } from '../screen/environment-info.ts'

export interface RecordRunOptions {
  /** Its warnings and notes go to `stderr` once. */
  readonly host: Host
  readonly many: WiredMany
  readonly asked: AskedAnswer | undefined
  readonly quiet: boolean
  /** Gets what tools do for each record. Default: nobody is told. */
  readonly activity: Output | undefined
  readonly askLine: AskLine
  readonly interruption: Interruption
  readonly failFast: boolean
  /** Default: results are not kept. */
  readonly journal: ResultJournal | undefined
  readonly compose: (record: InputRecord, wired: Wired, signal: AbortSignal) => Promise<UserMessage>
  /** Ends the runs under way. */
  readonly signal: AbortSignal
  /** Called when no other record begins. */
  readonly onStop: () => void
}

/** Runs the prompt for records. Stops beginning new ones once that makes no sense. */
export class RecordRuns {
  readonly #options: RecordRunOptions
  #isStopped = false
  #reason: PipeError | undefined
  #warnings: readonly string[] | undefined

  constructor(options: RecordRunOptions) {
    this.#options = options
  }

  /** Why records were not run, besides a failure. */
  get reason(): PipeError | undefined {
    return this.#reason
  }

  /** Runs it for one record, or takes the result of an earlier run. Throws a bug, and what the journal throws. */
  async run(record: InputRecord): Promise<RecordResult> {
    const { signal, journal } = this.#options
    if (record.fault !== undefined) {
      const told = `the record cannot be read: ${record.fault}`
      return this.#ended(record, judgeFailure(new PipeError('input', told), undefined), {})
    }
    const key = journal && { index: record.index, hash: sha256(record.text) }
    const known = key && journal?.find(key)
    if (known !== undefined) {
      const outcome = { exitCode: Number(known['exit_code'] ?? 0) }
      return { record, status: 'done', outcome, json: known, isResumed: true }
    }
    if (this.#isStopped || signal.aborted)
      return { record, status: 'not_run', outcome: this.#notRun(), json: {} }
    const { outcome, json } = await this.#ask(record)
    if (outcome.error === undefined && key !== undefined) journal?.add(key, json)
    return this.#ended(record, outcome, json)
  }

  #ended(record: InputRecord, outcome: Outcome, json: JsonObject): RecordResult {
    const { error } = outcome
    if (error === undefined) return { record, status: 'done', outcome, json }
    if (isForAll(error)) this.#stop(error)
    else if (this.#options.failFast) this.#stop(undefined)
    // The budget was spent before the model was asked.
    const isAsked = error.code !== 'budget' || json['rounds'] !== 0
    return { record, status: isAsked ? 'failed' : 'not_run', outcome, json }
  }

  #stop(reason: PipeError | undefined): void {
    this.#reason ??= reason
    if (this.#isStopped) return
    this.#isStopped = true
    this.#options.onStop()
  }

  #notRun(): Outcome {
    return judgeFailure(this.#reason ?? new PipeError('aborted', 'it was not run'), undefined)
  }

  async #ask(record: InputRecord): Promise<{ readonly outcome: Outcome; readonly json: JsonObject }> {
    const { host, quiet, activity, askLine, interruption, asked, signal } = this.#options
    const { clock, stderr } = host
    let ended: { readonly outcome: Outcome; readonly json: JsonObject } | undefined
    const silent: Reporter = {
      begin: () => undefined,
      event: () => undefined,
      ...(!quiet && { notice: (line: string) => stderr.write(line) }),
      end: (_, outcome, json) => {
        ended = { outcome, json }
      },
    }
    const reporter =
      activity === undefined ? silent : withActivity(silent, numbered(record.index, activity), lookOf)
    try {
      const outcome = await runOneShot({
        reporter,
        stderr,
        quiet,
        clock,
        interruption,
        askLine: (question, until) => askLine(`\nRecord ${record.index}:${question}`, until),
        form: asked?.form,
        startDeadline: () => startDeadline(clock, undefined, signal),
        open: (own) => this.#open(record, own),
      })
      return ended ?? { outcome, json: {} }
    } catch (error) {
      if (!isPipeError(error) || ended === undefined) throw error
      return ended
    }
  }

  /** Instructions are the same for all. */
  #instructionWarnings(wired: Wired): readonly string[] {
    this.#warnings ??= instructionNotes(this.#options.host, wired).warnings
    return this.#warnings
  }

  async #open(record: InputRecord, signal: AbortSignal): Promise<OpenRun> {
    const { many, host, asked, compose } = this.#options
    const wired = await many.open({ index: record.index, demands: asked?.demands() ?? [] }, signal)
    try {
      const conversation = driveWired(wired, { machine: host })
      return {
        conversation,
        start: await compose(record, wired, signal),
        header: { sessionId: undefined, model: wired.model(), cwd: host.cwd },
        warnings: [...wired.warnings, ...this.#instructionWarnings(wired)],
        notices: wired.notices,
        spent: () => wired.spent,
        checked: () => wired.checkVerdict(),
        close: () => conversation.close(),
      }
    } catch (error) {
      await wired.close()
      throw error
    }
  }
}

/** Begins each line with the number of its record, as several may be worked on at once. Shows no text of answers. */
function numbered(index: number, { isTerminal, write }: Output): Outputs {
  return {
    stdout: { isTerminal: false, write: () => undefined },
    stderr: { isTerminal, write: (text) => write(text.replace(/^(?=.)/gm, `record ${index}: `)) },
  }
}

/** Whether no other record can do better: the budget is spent, or the server asks for a long rest. */
function isForAll(error: PipeError): boolean {
  return error.code === 'budget' || (error.code === 'rate_limited' && isTooLong(error))
}
