import { oneLine } from '../../../characters/one-line.ts'
import { minuteOf } from '../../../characters/shown-time.ts'
import { formatAge } from '../../../frontend/words/age.ts'
import { formatBytes } from '../../../frontend/words/amount.ts'
import { namedLength } from '../../../history/title-text.ts'
import type { SessionId } from '../../../id.ts'
import { belowHome } from '../../../machine/path.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { SessionStore, SessionSummary } from '../../../session.ts'
import { printable } from '../../../terminal/printable.ts'
import type { RunContext } from '../../run-context.ts'
import { looksLikeId } from '../../session-argument.ts'
import { terminalColumns } from '../../standard-output.ts'

/** Formats a session as one line. */
export type FormatRow = (summary: SessionSummary) => string

export interface SessionRowOptions {
  readonly store: SessionStore
  /** Also name the folder. */
  readonly withFolder: boolean
}

/** Returns the session's row in a JSON document. */
export function encodeSessionRow(summary: SessionSummary): object {
  const { id, createdAt, updatedAt, cwd, gitBranch, title, opening, size, pending, fault, parentId } = summary
  return {
    id,
    created_at: createdAt,
    updated_at: updatedAt,
    ...omitUndefined({
      cwd,
      parent_session_id: parentId,
      git_branch: gitBranch,
      title,
      opening,
      size,
      pending,
      fault,
    }),
  }
}

/** Returns how a session is called: by its title, or the first words of a session without one. */
export function shownTitle({ title = '', opening = '' }: Pick<SessionSummary, 'title' | 'opening'>): string {
  return oneLine(printable(title === '' ? opening : title), namedLength)
}

/** Chooses the form of the rows: short ids and ages in the width of a terminal, whole ids and times elsewhere. */
export async function openRows(
  { host, signal }: Pick<RunContext, 'host' | 'signal'>,
  { store, withFolder }: SessionRowOptions,
): Promise<FormatRow> {
  const about = (summary: SessionSummary, folder: string) =>
    `${withFolder ? `${folder}  ` : ''}${marksOf(summary)}${shownTitle(summary)}`
  if (!host.stdout.isTerminal) {
    return (summary) => {
      const { id, updatedAt, cwd = '' } = summary
      return `${id}  ${minuteOf(updatedAt)}  ${sizeOf(summary)}  ${about(summary, inLine(cwd))}`
    }
  }
  const ids = shortenIds(await store.find('', { signal }))
  const width = Math.max(...Array.from(ids.values(), ({ length }) => length).filter((one) => one <= 36), 0)
  const [cut, now] = [await cutter(terminalColumns()), host.clock.now()]
  return (summary) => {
    const { id, updatedAt, cwd = '' } = summary
    const age = formatAge(updatedAt, now).padStart(6)
    const shown = (ids.get(id) ?? id).padEnd(width)
    return cut(`${shown}  ${age}  ${sizeOf(summary)}  ${about(summary, belowHome(inLine(cwd), host.home))}`)
  }
}

function sizeOf({ size = 0 }: SessionSummary): string {
  return formatBytes(size).padStart(9)
}

function marksOf({ pending, fault, parentId }: SessionSummary): string {
  const elf = parentId === undefined ? '' : '  elf: '
  return `${elf}${fault === undefined ? '' : '[cannot be read] '}${pending === undefined ? '' : '[waits for an answer] '}`
}

function inLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ')
}

async function cutter(columns: number): Promise<(line: string) => string> {
  const { columnsOf, fitting } = await import('../../../ink/rows/columns.ts')
  return (line) => (columnsOf(line) <= columns ? line : `${line.slice(0, fitting(line, 0, columns - 1))}…`)
}

/** Characters of a shortened id, at least. */
const least = 8

/** Shortens ids to the beginnings that tell them apart. Leaves names that the user gave whole. Expects all ids, sorted. */
export function shortenIds(ids: readonly SessionId[]): ReadonlyMap<SessionId, string> {
  return new Map(ids.map((id, i) => [id, shorten(id, [ids[i - 1] ?? '', ids[i + 1] ?? ''])]))
}

function shorten(id: SessionId, neighbours: readonly string[]): string {
  if (id.length !== 36 || !looksLikeId(id)) return id
  const shared = neighbours.map((other) => sharedLength(id, other))
  const length = Math.max(least, ...shared.map((one) => one + 1))
  return id.slice(0, id[length - 1] === '-' ? length + 1 : length)
}

function sharedLength(a: string, b: string): number {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return i
}
