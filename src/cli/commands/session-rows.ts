import { omitUndefined } from '../../omit-undefined.ts'
import type { SessionSummary } from '../../session.ts'
import { printable } from '../../terminal/printable.ts'
import type { RunContext } from '../run-context.ts'
import { JsonList } from './json-list.ts'

/** Prints summaries of sessions as they come: one line each, or one JSON document. */
export class SessionRows {
  readonly #context: RunContext
  readonly #list: JsonList | undefined

  constructor(context: RunContext) {
    const { host, flags } = context
    this.#context = context
    this.#list = flags.format === 'json' ? new JsonList(host.stdout, 'sessions') : undefined
  }

  add({ id, createdAt, updatedAt, title, opening, fault }: SessionSummary): void {
    if (this.#list !== undefined) {
      const times = { created_at: createdAt, updated_at: updatedAt }
      this.#list.add({ id, ...times, ...omitUndefined({ title, opening, fault }) })
      return
    }
    const about = printable(title ?? opening ?? '').replace(/\s+/g, ' ')
    const mark = fault === undefined ? '' : '[cannot be read] '
    const line = `${id}  ${updatedAt.slice(0, 16).replace('T', ' ')}  ${mark}${about.slice(0, 80)}\n`
    this.#context.host.stdout.write(line)
  }

  end(): void {
    this.#list?.end()
  }
}
