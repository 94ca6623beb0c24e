import type { AgentFact } from '../event.ts'

/** Tells the user that a conversation cannot be saved, or is saved again. */
export function savingNote(event: Extract<AgentFact, { readonly type: 'unsaved' | 'saved' }>): string {
  return event.type === 'saved'
    ? 'there is space again: the whole conversation is saved'
    : `nothing more is saved: ${event.reason}; the conversation continues in memory and is written when there is space again`
}
