import type { Paste } from './prompt.ts'

/** A change of a text, which can be undone. */
export interface Change {
  readonly at: number
  readonly removed: string
  readonly added: string
  /** The cursor before the change. */
  readonly cursor: number
  /** Set if the placeholders changed too. */
  readonly pastes?: { readonly before: readonly Paste[]; readonly after: readonly Paste[] }
}

/** Changes that can be undone, and undone ones that can be redone; the newest last. */
export interface Changes {
  readonly done: readonly Change[]
  readonly undone: readonly Change[]
}

export const noChanges: Changes = { done: [], undone: [] }

/** Most changes that can be undone, and characters that they may hold together. */
const mostChanges = 1_000
const mostCharacters = 4_000_000

/** Adds a change. Joined to the one before, both are undone together. */
export function addChange({ done }: Changes, change: Change, isJoined: boolean): Changes {
  const last = done.at(-1)
  if (isJoined && last !== undefined) {
    const joined = join(last, change)
    if (joined !== undefined) return { done: [...done.slice(0, -1), joined], undone: [] }
  }
  return { done: bounded([...done, change]), undone: [] }
}

/** Joins text that was typed behind other text, or deleted beside it. */
function join(last: Change, change: Change): Change | undefined {
  if (last.pastes !== undefined || change.pastes !== undefined) return undefined
  if (change.removed === '' && last.at + last.added.length === change.at) {
    return { ...last, added: last.added + change.added }
  }
  if (change.added !== '' || last.added !== '') return undefined
  if (change.at === last.at) return { ...last, removed: last.removed + change.removed }
  return change.at + change.removed.length === last.at
    ? { ...last, at: change.at, removed: change.removed + last.removed }
    : undefined
}

function bounded(done: readonly Change[]): readonly Change[] {
  let first = done.length
  for (let left = mostCharacters; first > Math.max(0, done.length - mostChanges); first--) {
    const change = done[first - 1]
    left -= (change?.removed.length ?? 0) + (change?.added.length ?? 0)
    // The newest change can always be undone.
    if (left < 0 && first < done.length) break
  }
  return first === 0 ? done : done.slice(first)
}

/** Returns a copy that does not keep the text in memory that it was cut from. */
export function detached(text: string): string {
  return text.length < 64 ? text : Buffer.from(text, 'utf16le').toString('utf16le')
}
