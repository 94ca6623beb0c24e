import type { SessionSummary } from '../../../session.ts'
import type { Output } from '../../../terminal/output.ts'
import type { RunContext } from '../../run-context.ts'
import { JsonList } from '../json-list.ts'
import { encodeSessionRow, type FormatRow, openRows, type SessionRowOptions } from './session-row.ts'

/** A way to print summaries. */
interface Form {
  add(summary: SessionSummary): void
  end(): void
}

/** Prints summaries of sessions as they come: one line each, or one JSON document. */
export class SessionPrinter {
  readonly #form: Form
  #count = 0

  private constructor(form: Form) {
    this.#form = form
  }

  static async open(context: RunContext, options: SessionRowOptions): Promise<SessionPrinter> {
    const { stdout } = context.host
    const isJson = context.flags.format === 'json'
    return new SessionPrinter(isJson ? jsonForm(stdout) : textForm(stdout, await openRows(context, options)))
  }

  /** The sessions so far, without those of elves. */
  get count(): number {
    return this.#count
  }

  add(summary: SessionSummary): void {
    if (summary.parentId === undefined) this.#count++
    this.#form.add(summary)
  }

  end(): void {
    this.#form.end()
  }
}

function jsonForm(stdout: Output): Form {
  const list = new JsonList(stdout, 'sessions')
  return { add: (summary) => list.add(encodeSessionRow(summary)), end: () => list.end() }
}

function textForm(stdout: Output, format: FormatRow): Form {
  return { add: (summary) => stdout.write(`${format(summary)}\n`), end: () => undefined }
}
