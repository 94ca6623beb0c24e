import type { SessionSummary } from '../../../session.ts'
import type { Output } from '../../../terminal/output.ts'
import type { RunContext } from '../../run-context.ts'
import { JsonList } from '../json-list.ts'
import { encodeRow, type FormatRow, openRows, type RowOptions } from './session-row.ts'

/** Prints summaries of sessions as they come: one line each, or one JSON document. */
export class SessionRows {
  readonly #stdout: Output
  readonly #form: JsonList | FormatRow
  #count = 0

  private constructor(stdout: Output, form: JsonList | FormatRow) {
    this.#stdout = stdout
    this.#form = form
  }

  static async open(context: RunContext, options: RowOptions): Promise<SessionRows> {
    const { host, flags } = context
    const isJson = flags.format === 'json'
    const form = isJson ? new JsonList(host.stdout, 'sessions') : await openRows(context, options)
    return new SessionRows(host.stdout, form)
  }

  /** The sessions so far, without those of elves. */
  get count(): number {
    return this.#count
  }

  add(summary: SessionSummary): void {
    if (summary.parentId === undefined) this.#count++
    if (this.#form instanceof JsonList) this.#form.add(encodeRow(summary))
    else this.#stdout.write(`${this.#form(summary)}\n`)
  }

  end(): void {
    if (this.#form instanceof JsonList) this.#form.end()
  }
}
