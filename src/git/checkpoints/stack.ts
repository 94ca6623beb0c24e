import { type CommitNotes, notesText } from '../commit-notes.ts'
import type { Shadow } from '../shadow.ts'
import { writeCommit, writeRef } from './loose-objects.ts'

/** `undo` holds turns that can be undone, `redo` undone turns that can be restored. */
export type StackSide = 'undo' | 'redo'

/**
 * One turn: a commit of the files after it, whose parent is a commit of the files before it. If the turn was cut short, only the
 * commit of the files before it.
 */
export interface TurnEntry {
  readonly side: StackSide
  readonly session: string
  /** Counts the turns that changed files in this folder. A turn keeps its number when it changes sides. */
  readonly number: number
  readonly ref: string
  readonly commit: string
  readonly isCut: boolean
  /** The tree was not saved, only what `write` and `edit` changed: nothing but `written` can be undone. */
  readonly isTreeless: boolean
  /** The commit that lists the files which the turn wrote outside of the saved tree. Absent if there are none. */
  readonly written?: string | undefined
  /** The first words of the prompt. */
  readonly label: string
  /** The id of the user's message that began it. Absent in entries of older versions. */
  readonly message?: string
  /** When the turn began, in milliseconds since 1970. */
  readonly at: number
  /** When the entry was made: later than `at` if the turn was undone or redone. */
  readonly madeAt: number
}

const fields = [
  'refname',
  'objectname',
  'parent',
  'authordate:unix',
  'committerdate:unix',
  'authoremail:trim',
  'committeremail:trim',
  'contents:subject',
]

/** All turns of one session, or of every session, in order. */
export async function listEntries(
  shadow: Shadow,
  session: string | undefined,
): Promise<readonly TurnEntry[]> {
  const format = fields.map((field) => `%(${field})`).join('%00')
  const prefix = session === undefined ? 'refs/pipe/' : `refs/pipe/${encode(session)}/`
  const output = await shadow.git(['for-each-ref', `--format=${format}`, prefix])
  const lines = output.split('\n').map((line) => line.split('\0'))
  const written = new Map(lines.map(([ref = '', commit = '']) => [ref, commit]))
  return lines.flatMap((line) => {
    const entry = readEntry(line)
    return entry === undefined ? [] : [{ ...entry, written: written.get(writtenRef(entry)) }]
  })
}

function readEntry(fields: readonly string[]): TurnEntry | undefined {
  const [ref = '', commit = '', parent = '', at = '', madeAt = '', author = '', committer = '', label = ''] =
    fields
  const [, session = '', side, number = ''] = /^refs\/pipe\/([^/]+)\/(undo|redo)\/(\d+)$/.exec(ref) ?? []
  if (side !== 'undo' && side !== 'redo') return undefined
  return {
    side,
    session: decodeURIComponent(session),
    number: Number(number),
    ref,
    commit,
    isCut: parent === '',
    isTreeless: committer === treeless,
    label,
    ...(author === nobody ? {} : { message: author }),
    at: Number(at) * 1_000,
    madeAt: Number(madeAt) * 1_000,
  }
}

/** The author of a turn whose message is unknown. */
const nobody = 'pipe'

/** The committer of a turn whose tree was not saved. */
const treeless = 'treeless'

/** The ref of a turn. */
export function refOf({ session, side, number }: Pick<TurnEntry, 'session' | 'side' | 'number'>): string {
  return `refs/pipe/${encode(session)}/${side}/${String(number).padStart(8, '0')}`
}

/** The ref of the list of files that a turn wrote outside of the saved tree. It stays when the turn changes sides. */
export function writtenRef({ session, number }: Pick<TurnEntry, 'session' | 'number'>): string {
  return `refs/pipe/${encode(session)}/written/${String(number).padStart(8, '0')}`
}

/** The turns of one side, in the order they were pushed: the last one is popped first. */
export function stackOf(entries: readonly TurnEntry[], side: StackSide): readonly TurnEntry[] {
  // Times have a resolution of seconds. Within one second, turns are done in number order and undone in reverse.
  const sign = side === 'undo' ? 1 : -1
  const candidates = entries.filter((entry) => entry.side === side)
  return candidates.sort((a, b) => a.madeAt - b.madeAt || sign * (a.number - b.number))
}

/** Creates a commit, and a ref to it if one is given. Returns its id. */
export async function keep(
  shadow: Shadow,
  { tree, modes, folders, ignoredFiles = [], unsaved = [], isTreeless = false, parent, turn, ref }: NewCommit,
): Promise<string> {
  const { label, at, message = nobody } = turn
  const notes = notesText({ modes, folders, ignoredFiles, unsaved })
  const commit = writeCommit(shadow, {
    tree,
    parent,
    // git lists the author of many commits in one call, but not a note of ours.
    author: { email: message, at },
    committer: { email: isTreeless ? treeless : 'pipe', at: shadow.clock.now() },
    message: notes === '' ? label : `${label}\n\n${notes}`,
  })
  if (ref !== undefined) await writeRef(shadow, ref, commit)
  return commit
}

interface NewCommit extends Pick<CommitNotes, 'modes' | 'folders'> {
  readonly tree: string
  /** Default: none. */
  readonly ignoredFiles?: CommitNotes['ignoredFiles']
  /** Default: none. */
  readonly unsaved?: CommitNotes['unsaved']
  /** Default: false. */
  readonly isTreeless?: boolean
  readonly parent?: string
  readonly turn: Pick<TurnEntry, 'label' | 'at' | 'message'>
  readonly ref?: string
}

/** Deletes these turns. */
export async function drop(shadow: Shadow, entries: readonly TurnEntry[]): Promise<void> {
  for (const entry of entries) {
    await shadow.git(['update-ref', '-d', entry.ref])
    if (entry.written !== undefined) await shadow.git(['update-ref', '-d', writtenRef(entry)])
  }
}

/** Encodes a session id for a ref name, in which git forbids some dots. */
function encode(session: string): string {
  return session.replaceAll('.', '%2E')
}
