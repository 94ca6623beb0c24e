import type { AgentFact } from '../../event.ts'

/** Tells the user that a conversation cannot be saved, or is saved again. */
export function savingNote(event: Extract<AgentFact, { readonly type: 'unsaved' | 'saved' }>): string {
  if (event.type === 'saved') return 'there is space again: everything is saved'
  return event.part === 'audit_log'
    ? `the audit log is not saved: ${event.reason}; the conversation is saved, but calls do not run until there is space`
    : `nothing more is saved: ${event.reason}; the conversation continues in memory and is written when there is space again`
}
