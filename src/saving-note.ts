import type { AgentFact } from './event.ts'

/** Tells a person that a conversation cannot be saved, or is saved again. */
export function savingNote(event: Extract<AgentFact, { readonly type: 'unsaved' | 'saved' }>): string {
  return event.type === 'saved'
    ? 'there is room again: all of the conversation is saved'
    : `nothing is saved from here on: ${event.reason}; the conversation goes on in memory and is written when there is room again`
}
