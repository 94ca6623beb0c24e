import { PipeError } from '../error.ts'
import type { AnswerDemand, CheckVerdict } from '../turn-hooks.ts'
import type { CheckFiles } from './check-files.ts'

/** Tells how a run of the user's check ended. */
export interface CheckRun {
  readonly passed: boolean
  /** Holds what the command printed, cut where it is long, and how it ended. */
  readonly text: string
}

export interface CheckDemandOptions {
  readonly command: string
  /** Counts how often a failure goes back to the model. */
  readonly tries: number
  /** Runs the command once. Throws `tool` if it cannot run, and `aborted`. */
  readonly run: (signal: AbortSignal) => Promise<CheckRun>
  /** As they are before the model works. */
  readonly files: CheckFiles
}

/** Demands that a command of the user succeeds. */
export class CheckDemand implements AnswerDemand {
  readonly #options: CheckDemandOptions
  /** Failures since the command last passed. */
  #failures = 0
  #verdict: CheckVerdict | undefined

  constructor(options: CheckDemandOptions) {
    this.#options = options
  }

  /** Absent until it ran. */
  get verdict(): CheckVerdict | undefined {
    return this.#verdict
  }

  async judge(_said: string, { signal }: { readonly signal: AbortSignal }): Promise<string | undefined> {
    const { command, tries, run, files } = this.#options
    const changedFiles = files.changed()
    const { passed, text } = await files.around(() => run(signal))
    this.#verdict = { command, passed, runs: (this.#verdict?.runs ?? 0) + 1, changedFiles }
    this.#failures = passed ? 0 : this.#failures + 1
    if (passed) return undefined
    if (this.#failures > tries) {
      const often = this.#failures === 1 ? '' : `, ${this.#failures} times`
      throw new PipeError('check', `the check failed${often}: ${command}\n${text.trimEnd()}`, {
        details: { command },
      })
    }
    return `The user's check fails: ${command}\n\n${text.trimEnd()}\n\nMend the cause. Leave the check itself as it is.`
  }
}
