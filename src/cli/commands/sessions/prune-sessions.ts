import { counted, formatBytes } from '../../../frontend/words/amount.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { printWarning } from '../../../terminal/output.ts'
import { printable } from '../../../terminal/printable.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import type { Host } from '../../host.ts'
import type { RunContext } from '../../run-context.ts'
import { erase, eraseSessions } from '../../wiring/session/erase-sessions.ts'
import { confirmDeletion } from '../confirmation.ts'
import {
  type KeptSession,
  type Leftover,
  type OldSession,
  type PrunePlan,
  planPruning,
} from './prune-plan.ts'
import { shownTitle } from './session-row.ts'

/** Deletes old sessions, and files that no session needs. Asks first. Throws `usage`. */
export async function pruneSessions(context: RunContext): Promise<void> {
  const { host, flags } = context
  const plan = await planPruning(context)
  const isDry = flags.has('dry-run')
  const report = new Report(host, { isJson: flags.format === 'json', isDry })
  try {
    for (const kept of plan.kept) report.keep(kept)
    if (isDry) {
      for (const session of plan.sessions) report.session(session)
      for (const leftover of plan.leftovers) report.leftover(leftover)
    } else if (isEmpty(plan) || (await confirmDeletion(questionOf(plan), 'sessions prune', context))) {
      await carryOut(plan, report, context)
    }
  } finally {
    report.end()
  }
}

async function carryOut(
  { sessions, leftovers, stored }: PrunePlan,
  report: Report,
  { host, signal }: RunContext,
): Promise<void> {
  for await (const { session, conflict } of eraseSessions(sessions, { machine: host, stored, signal })) {
    if (conflict === undefined) report.session(session)
    else report.keep({ id: session.id, reason: 'another process is writing it' })
  }
  for (const leftover of leftovers) {
    const conflict = await erase(leftover, { machine: host, signal })
    if (conflict === undefined) report.leftover(leftover)
  }
}

/** Prints what was deleted, or would be: a line each on stdout and a sum on stderr, or one JSON document at the end. */
class Report {
  readonly #host: Host
  readonly #form: { readonly isJson: boolean; readonly isDry: boolean }
  readonly #sessions: OldSession[] = []
  readonly #leftovers: Leftover[] = []
  readonly #kept: KeptSession[] = []

  constructor(host: Host, form: { readonly isJson: boolean; readonly isDry: boolean }) {
    this.#host = host
    this.#form = form
  }

  session(session: OldSession): void {
    this.#sessions.push(session)
    this.#line(`${session.id}  ${shownTitle(session)}`)
  }

  leftover(leftover: Leftover): void {
    this.#leftovers.push(leftover)
    for (const name of leftover.names) this.#line(name)
  }

  keep(kept: KeptSession): void {
    this.#kept.push(kept)
    if (!this.#form.isJson) printWarning(this.#host, `kept: ${kept.id}: ${kept.reason}`)
  }

  end(): void {
    const { isJson, isDry } = this.#form
    if (isJson) this.#host.stdout.write(`${printableJson(this.#document())}\n`)
    else
      printWarning(
        this.#host,
        `${isDry ? 'would delete' : 'deleted'} ${sumOf(this.#sessions, this.#leftovers)}`,
      )
  }

  #line(text: string): void {
    const { isJson, isDry } = this.#form
    if (!isJson) this.#host.stdout.write(`${isDry ? 'would delete' : 'deleted'}: ${printable(text)}\n`)
  }

  #document(): object {
    return {
      deleted: this.#sessions.map(({ id, title, updatedAt, bytes }) => ({
        id,
        ...omitUndefined({ title }),
        updated_at: updatedAt,
        bytes,
      })),
      leftovers: this.#leftovers.flatMap(({ names }) => names),
      kept: this.#kept,
      bytes: bytesIn(this.#sessions, this.#leftovers),
      dry_run: this.#form.isDry,
    }
  }
}

function isEmpty({ sessions, leftovers }: PrunePlan): boolean {
  return sessions.length === 0 && leftovers.length === 0
}

/** Lines of a question, before the question itself. */
const mostListed = 20

function questionOf({ sessions, leftovers }: PrunePlan): string {
  const lines = [
    ...sessions.map((one) => `${one.updatedAt.slice(0, 10)}  ${shownTitle(one)}`),
    ...leftovers.flatMap(({ names }) => names),
  ]
  const more = lines.length > mostListed ? [`… and ${lines.length - mostListed} more`] : []
  const listed = [...lines.slice(0, mostListed), ...more].map((line) => `  ${line}\n`).join('')
  return `${listed}Delete ${sumOf(sessions, leftovers)}?`
}

function sumOf(sessions: readonly OldSession[], leftovers: readonly Leftover[]): string {
  const files = leftovers.reduce((sum, { names }) => sum + names.length, 0)
  const parts = [
    ...(sessions.length > 0 ? [counted(sessions.length, 'session')] : []),
    ...(files > 0 ? [counted(files, 'leftover')] : []),
  ]
  if (parts.length === 0) return 'nothing'
  return `${parts.join(' and ')}, ${formatBytes(bytesIn(sessions, leftovers))}`
}

function bytesIn(sessions: readonly OldSession[], leftovers: readonly Leftover[]): number {
  return [...sessions, ...leftovers].reduce((sum, { bytes }) => sum + bytes, 0)
}
