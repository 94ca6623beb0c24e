import { exitCodes, type PipeError } from '../../../error.ts'
import type { Advance } from '../../../line/map/progress.ts'
import type { RecordResult } from '../../../line/map/record-result.ts'
import { type Outputs, printWarning } from '../../../terminal/output.ts'
import type { WiredMany } from '../../wiring/wire-many.ts'

/** Counts what became of records. */
export class Tally {
  readonly #many: Pick<WiredMany, 'spent'>
  readonly #inputSize: number | undefined
  #done = 0
  #failed = 0
  #notRun = 0
  #worst = 0
  #passed = 0

  /** `inputSize`: in bytes, if it is known. */
  constructor(many: Pick<WiredMany, 'spent'>, inputSize: number | undefined) {
    this.#many = many
    this.#inputSize = inputSize
  }

  get records(): number {
    return this.#done + this.#failed + this.#notRun
  }

  /** Counts a result as soon as it is there, and returns how far all are. */
  count({ status, outcome }: RecordResult): Advance {
    if (status === 'done') this.#done += 1
    else if (status === 'failed') this.#failed += 1
    else this.#notRun += 1
    if (status !== 'not_run') this.#worst = Math.max(this.#worst, outcome.exitCode)
    const size = this.#inputSize
    return {
      done: this.#done,
      failed: this.#failed,
      costUsd: this.#many.spent.costUsd,
      part: size === undefined || size === 0 ? undefined : Math.min(1, this.#passed / size),
    }
  }

  /** Notes how much of the input is behind. */
  pass({ record }: RecordResult): void {
    this.#passed = record.end
  }

  /** The worst of all: why the rest was not run, else the highest of the records. */
  exitCode(reason: PipeError | undefined): number {
    return reason === undefined ? this.#worst : exitCodes[reason.code]
  }

  /** Says what a user should know at the end. */
  tell(outputs: Pick<Outputs, 'stderr'>, reason: PipeError | undefined): void {
    if (reason !== undefined) printWarning(outputs, reason.message)
    if (this.#failed + this.#notRun === 0) return
    const rest = this.#notRun === 0 ? '' : `, ${this.#notRun} not run`
    printWarning(outputs, `${this.#done} done, ${this.#failed} failed${rest}`)
  }
}
