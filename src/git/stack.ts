import { type CommitNotes, notesText } from './modes.ts'
import type { Shadow } from './shadow.ts'

/** Turns that can be undone, and turns that were and can be brought back. */
export type Side = 'undo' | 'redo'

/**
 * One turn: a commit of the files after it, whose parent is a commit of those before it. Where the turn was cut, a commit of those
 * before it alone.
 */
export interface Entry {
  readonly side: Side
  readonly session: string
  /** Counts the turns of a folder that changed files; a turn keeps its number where it changes sides. */
  readonly number: number
  readonly ref: string
  readonly commit: string
  readonly isCut: boolean
  /** The first words of the turn. */
  readonly label: string
  /** When the turn began, in milliseconds since 1970. */
  readonly at: number
  /** When the entry was made: later than `at` where the turn was undone or brought back. */
  readonly madeAt: number
}

const fields = [
  'refname',
  'objectname',
  'parent',
  'authordate:unix',
  'committerdate:unix',
  'contents:subject',
]

/** Every turn of one session, or of all, in order. */
export async function listEntries(shadow: Shadow, session: string | undefined): Promise<readonly Entry[]> {
  const format = fields.map((field) => `%(${field})`).join('%00')
  const prefix = session === undefined ? 'refs/pipe/' : `refs/pipe/${encode(session)}/`
  const output = await shadow.git(['for-each-ref', `--format=${format}`, prefix])
  return output.split('\n').flatMap((line) => readEntry(line) ?? [])
}

function readEntry(line: string): Entry | undefined {
  const [ref = '', commit = '', parent = '', at = '', madeAt = '', label = ''] = line.split('\0')
  const [, session = '', side, number = ''] = /^refs\/pipe\/([^/]+)\/(undo|redo)\/(\d+)$/.exec(ref) ?? []
  if (side !== 'undo' && side !== 'redo') return undefined
  return {
    side,
    session: decodeURIComponent(session),
    number: Number(number),
    ref,
    commit,
    isCut: parent === '',
    label,
    at: Number(at) * 1_000,
    madeAt: Number(madeAt) * 1_000,
  }
}

/** The name under which a turn is kept. */
export function refOf({ session, side, number }: Pick<Entry, 'session' | 'side' | 'number'>): string {
  return `refs/pipe/${encode(session)}/${side}/${String(number).padStart(8, '0')}`
}

/** The turns of one side, in the order in which they came to it: the last one goes first. */
export function stackOf(entries: readonly Entry[], side: Side): readonly Entry[] {
  // Times are in seconds. Within one, turns are done in the order of their numbers and undone against it.
  const sign = side === 'undo' ? 1 : -1
  const candidates = entries.filter((entry) => entry.side === side)
  return candidates.sort((a, b) => a.madeAt - b.madeAt || sign * (a.number - b.number))
}

/** Makes a commit and names it. Gives its id. */
export async function keep(
  shadow: Shadow,
  { tree, modes, leftAlone = [], parent, label, at, ref }: NewCommit,
): Promise<string> {
  const author = { GIT_AUTHOR_NAME: 'pipe', GIT_AUTHOR_EMAIL: 'pipe', GIT_AUTHOR_DATE: date(at) }
  const committer = {
    GIT_COMMITTER_NAME: 'pipe',
    GIT_COMMITTER_EMAIL: 'pipe',
    GIT_COMMITTER_DATE: date(shadow.clock.now()),
  }
  const parents = parent === undefined ? [] : ['-p', parent]
  const notes = notesText({ modes, leftAlone })
  const args = ['commit-tree', tree, ...parents, '-m', label, ...(notes === '' ? [] : ['-m', notes])]
  const commit = (await shadow.git(args, { env: { ...author, ...committer } })).trim()
  if (ref !== undefined) await shadow.git(['update-ref', ref, commit])
  return commit
}

interface NewCommit extends Pick<CommitNotes, 'modes'> {
  readonly tree: string
  /** Default: none. */
  readonly leftAlone?: CommitNotes['leftAlone']
  readonly parent?: string
  readonly label: string
  readonly at: number
  readonly ref?: string
}

/** Forgets these turns. */
export async function drop(shadow: Shadow, entries: readonly Entry[]): Promise<void> {
  for (const { ref } of entries) await shadow.git(['update-ref', '-d', ref])
}

function date(ms: number): string {
  return `@${Math.floor(ms / 1_000)} +0000`
}

/** A session's id as a part of a name in git, which forbids dots in some places. */
function encode(session: string): string {
  return session.replaceAll('.', '%2E')
}
