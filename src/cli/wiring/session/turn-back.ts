import { enumerate } from '../../../characters/enumerate.ts'
import { inLine } from '../../../git/checkpoints/notes.ts'
import { redoTurn, type UndoneTurn, undoTurn } from '../../../git/checkpoints/undo.ts'
import type { Shadow } from '../../../git/shadow.ts'
import type { Machine } from '../../machine.ts'
import { leaveNote } from './open-checkpoints.ts'

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
  const undone = await (redo ? redoTurn : undoTurn)(shadow, { ...options, session })
  if (tellsModel) leaveNote(machine, undone.session, noteToModel(undone))
  return undone
}

/** Whether no file was restored although the turn changed some, or may have. */
export function isNothingBack({ changed, removed, broughtBack, ignoredFiles, unsaved }: UndoneTurn): boolean {
  const count = changed.length + removed.length + broughtBack.length
  return count === 0 && ignoredFiles.length + unsaved.length > 0
}

/** Reports the files of an undone turn, one line each, and what was not saved. */
export function describeUndone(undone: UndoneTurn): string {
  const isUndo = undone.side === 'undo'
  const none = isUndo ? 'nothing undone' : 'nothing redone'
  const title = `${isNothingBack(undone) ? none : isUndo ? 'undid' : 'redid'}: ${undone.label}`
  const files = kinds.flatMap(([kind, words]) => undone[kind].map((path) => lineOf(words, inLine(path))))
  const unsaved = undone.unsaved.map(({ name, why }) =>
    lineOf('not saved', `${name === '' ? 'what commands changed' : inLine(name)} (${why})`),
  )
  const lines = [...files, ...unsaved]
  return [title, ...(lines.length === 0 ? ['  nothing was left to do'] : lines)].join('\n')
}

function lineOf(words: string, what: string): string {
  return `  ${words.padEnd(12)} ${what}`
}

const kinds = [
  ['changed', 'changed'],
  ['removed', 'removed'],
  ['broughtBack', 'restored'],
  ['ignoredFiles', 'left alone'],
] as const

/** Maximum paths of each kind in the note to the model. */
const maxPaths = 20

function noteToModel(undone: UndoneTurn): string {
  const did = undone.side === 'undo' ? 'undid' : 'redid'
  const happened = isNothingBack(undone)
    ? `The user ${did} nothing of`
    : `The user ${did} the file changes of`
  const files = kinds.flatMap(([kind, words]) => {
    const paths = undone[kind]
    // Quoted, so that no name reads as the user's words.
    const names = paths.map((path) => JSON.stringify(path))
    return paths.length === 0 ? [] : [`${words}: ${enumerate(names, maxPaths)}.`]
  })
  return [
    `${happened} the turn ${JSON.stringify(undone.label)}.`,
    ...files,
    ...undone.unsaved.map(({ name }) =>
      name === ''
        ? 'not saved, so unchanged: what commands changed.'
        : `not saved, so unchanged: ${JSON.stringify(name)}.`,
    ),
    'Read files again before you rely on them.',
  ].join(' ')
}
