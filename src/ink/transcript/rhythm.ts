import { unreachable } from '../../error.ts'
import type { Entry } from '../state.ts'

/** The parts of a transcript that a blank row sets apart from each other. */
export type TranscriptPart = 'header' | 'said' | 'prose' | 'thought' | 'calls' | 'note' | 'plan' | 'end'

/** Parts whose neighbours of the same kind have no blank row between them. */
const together: ReadonlySet<TranscriptPart> = new Set(['calls', 'note', 'thought'])

/** Returns the part that an entry belongs to. */
export function partOf(entry: Entry): TranscriptPart {
  switch (entry.type) {
    case 'header':
      return 'header'
    case 'user':
      return 'said'
    case 'block':
      return 'prose'
    case 'thinking':
      return 'thought'
    case 'tool':
    case 'reads':
      return 'calls'
    case 'note':
      return 'note'
    case 'plan':
      return 'plan'
    case 'end':
      return 'end'
    default:
      return unreachable(entry)
  }
}

/** Whether a blank row comes between two parts. Before the first part comes none. */
export function isApart(part: TranscriptPart, before: TranscriptPart | undefined): boolean {
  return before !== undefined && (part !== before || !together.has(part))
}
