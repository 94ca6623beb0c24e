import type { Place } from '../conversation-view.ts'

/** Deeper messages are not indented further: their text needs the room. */
const mostIndents = 12

/** Describes a message in a tree in one line: whether it is on the current branch, how deep it is, who wrote it, its first words. */
export function placeLine({
  isCurrent,
  depth,
  role,
  text,
}: Pick<Place, 'isCurrent' | 'depth' | 'role' | 'text'>): string {
  const indent = '  '.repeat(Math.min(depth, mostIndents))
  return `${isCurrent ? '●' : '○'} ${indent}${role === 'user' ? '>' : ' '} ${text}`
}
