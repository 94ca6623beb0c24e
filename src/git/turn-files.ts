import { contextLength, textContent, type UserMessage } from '../message.ts'
import type { Shadow } from './shadow.ts'
import { type Entry, listEntries } from './stack.ts'

/** The saved files around a turn, as commits of the shadow. */
export interface TurnFiles {
  readonly before: string
  /** Absent if the turn was cut short. */
  readonly after?: string
}

/**
 * Finds the files saved before and after each turn of a session that changed some; `undefined` for a turn that changed none, or
 * whose checkpoint is gone.
 */
export async function filesOfTurns(
  shadow: Shadow,
  session: string,
  turns: readonly UserMessage[],
): Promise<readonly (TurnFiles | undefined)[]> {
  if (!shadow.exists) return turns.map(() => undefined)
  const entries = [...(await listEntries(shadow, session))].sort((a, b) => a.number - b.number)
  return turns.map((message) => {
    const at = entries.findIndex((entry) => belongs(entry, message))
    const [found] = at < 0 ? [] : entries.splice(0, at + 1).slice(-1)
    return found && filesOf(found)
  })
}

/** Whether the checkpoint was made in the turn that this message began. Checkpoints know whole seconds only. */
function belongs({ at, label }: Entry, message: UserMessage): boolean {
  return label === labelOf(message) && at >= Math.floor(Date.parse(message.timestamp) / 1_000) * 1_000
}

function filesOf({ commit, isCut }: Entry): TurnFiles {
  return isCut ? { before: commit } : { before: `${commit}^`, after: commit }
}

/** The label of a turn's checkpoint: the start of the user's text, in one line. */
export function labelOf(message: UserMessage): string {
  const said = textContent({ content: message.content.slice(contextLength(message)) })
  const line = said.slice(0, 400).replace(/[\s\p{Cc}]+/gu, ' ')
  return line.trim().slice(0, 72) || 'a turn'
}
