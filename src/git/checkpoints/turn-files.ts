import type { UserMessage } from '../../message.ts'
import type { Shadow } from '../shadow.ts'
import { listEntries, type TurnEntry } from './stack.ts'

/** The saved files around a turn, as commits of the shadow. */
export interface TurnFiles {
  readonly before: string
  /** Absent if the turn was cut short. Equal to `before` if the turn was undone before the next one. */
  readonly after?: string | undefined
}

/**
 * Finds the files saved before and after each turn of a session that changed some, by the message that began it; `undefined` for a turn
 * that changed none, or whose checkpoint is gone.
 */
export async function filesOfTurns(
  shadow: Shadow,
  session: string,
  turns: readonly UserMessage[],
): Promise<readonly (TurnFiles | undefined)[]> {
  if (!shadow.exists) return turns.map(() => undefined)
  const listed = (await listEntries(shadow, session)).filter(({ isTreeless }) => !isTreeless)
  const entries = listed.sort((a, b) => a.number - b.number)
  return turns.map(({ id }, i) =>
    filesOf(
      entries.filter(({ message }) => message === id),
      turns[i + 1],
    ),
  )
}

/** A turn that was interrupted by a question and resumed has several entries. */
function filesOf(entries: readonly TurnEntry[], next: UserMessage | undefined): TurnFiles | undefined {
  const [first, last] = [entries[0], entries.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const before = first.isCut ? first.commit : `${first.commit}^`
  // The next turn began with the files that the undo brought back.
  if (next !== undefined && first.side === 'redo' && first.madeAt <= Date.parse(next.timestamp))
    return { before, after: before }
  return { before, after: last.isCut ? undefined : last.commit }
}
