import type { Shadow } from '../../git/shadow.ts'
import { redoTurn, type UndoneTurn, undoTurn } from '../../git/undo.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { Machine } from '../machine.ts'
import { leaveNote } from './checkpoints.ts'

export interface TurnBack {
  readonly machine: Machine
  readonly redo: boolean
  /** Even if files have changed since. */
  readonly force: boolean
  /** `undefined`: the session with the latest change. */
  readonly session: string | undefined
  /** Leaves a note for the model. Default: true. */
  readonly tellsModel?: boolean
  readonly signal: AbortSignal
}

/** Undoes or redoes one turn. Throws `input` and `conflict`. */
export async function turnBack(
  shadow: Shadow,
  { machine, redo, session, tellsModel = true, ...options }: TurnBack,
): Promise<UndoneTurn> {
  const undone = await (redo ? redoTurn : undoTurn)(shadow, { ...options, ...omitUndefined({ session }) })
  if (tellsModel) leaveNote(machine, undone.session, noteToModel(undone))
  return undone
}

/** Reports the files of an undone turn, one line each. */
export function describeUndone(undone: UndoneTurn): string {
  const title = `${undone.side === 'undo' ? 'undid' : 'redid'}: ${undone.label}`
  const files = kinds.flatMap(([kind, words]) =>
    undone[kind].map((path) => `  ${words.padEnd(12)} ${inLine(path)}`),
  )
  return [title, ...(files.length === 0 ? ['  nothing was left to do'] : files)].join('\n')
}

const kinds = [
  ['changed', 'changed'],
  ['removed', 'removed'],
  ['broughtBack', 'restored'],
  ['leftAlone', 'left alone'],
] as const

/** Quotes a path with control characters, such as line breaks. */
function inLine(path: string): string {
  return /\p{Cc}/u.test(path) ? JSON.stringify(path) : path
}

/** Maximum paths of each kind in the note to the model. */
const maxPaths = 20

function noteToModel(undone: UndoneTurn): string {
  const happened =
    undone.side === 'undo' ? 'The user undid the file changes of' : 'The user redid the file changes of'
  const files = kinds.flatMap(([kind, words]) => {
    const paths = undone[kind]
    const more = paths.length > maxPaths ? ` and ${paths.length - maxPaths} more` : ''
    // Quoted, so that no name reads as the user's words.
    const names = paths.slice(0, maxPaths).map((path) => JSON.stringify(path))
    return paths.length === 0 ? [] : [`${words}: ${names.join(', ')}${more}.`]
  })
  return [
    `${happened} the turn ${JSON.stringify(undone.label)}.`,
    ...files,
    'Read files again before you rely on them.',
  ].join(' ')
}
