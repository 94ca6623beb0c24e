import { errorResult, type ToolRun } from '../tool.ts'
import { KeptOutput, mostOfComplaint } from './kept-output.ts'

/** The beginning of what a call prints. */
export class Printed {
  readonly #kept = new KeptOutput(mostOfComplaint)

  /** Passes a run on, and keeps what it prints. */
  async *of(run: ToolRun): ToolRun {
    try {
      let step = await run.next()
      while (step.done !== true) {
        const { value } = step
        if (value.type === 'output') this.#kept.add(Buffer.from(value.chunk))
        step = await run.next(yield value)
      }
      return step.value
    } finally {
      await run.return(errorResult('interrupted'))
    }
  }

  get text(): string {
    return this.#kept.text
  }
}
