import { oneLine } from '../../characters/one-line.ts'
import type { TreeMessage } from '../conversation-view.ts'

/** Deeper messages are not indented further: their text needs the room. */
const mostIndents = 12

/** Describes a message in a tree in one line: whether it is on the current branch, how deep it is, who wrote it, its first words. */
export function treeMessageLine({
  isCurrent,
  depth,
  role,
  text,
}: Pick<TreeMessage, 'isCurrent' | 'depth' | 'role' | 'text'>): string {
  const indent = '  '.repeat(Math.min(depth, mostIndents))
  return `${isCurrent ? '●' : '○'} ${indent}${role === 'user' ? '>' : ' '} ${text}`
}

/** Longest excerpt of a message, in characters. */
const longestExcerpt = 40

/** Describes where going to a message leads: `back to before "…"`, `to after "…"`. */
export function destination({ role, text }: Pick<TreeMessage, 'role' | 'text'>): string {
  return `${role === 'user' ? 'back to before' : 'to after'} "${oneLine(text, longestExcerpt)}"`
}

/** Tells the user that the conversation went to a message. */
export function arrivalNote(place: Pick<TreeMessage, 'role' | 'text'>): string {
  return `went ${destination(place)}; the branch that was left stays: /tree`
}

/** Whether the user can go back to before this message within the current branch. */
export function isRewindable({ role, isCurrent }: Pick<TreeMessage, 'role' | 'isCurrent'>): boolean {
  return role === 'user' && isCurrent
}
