import type { AgentFact } from '../event.ts'

/** Says why a commanded compaction did not happen. */
export function compactionFailure({
  reason,
}: Extract<AgentFact, { readonly type: 'compaction_failed' }>): string {
  return `the conversation was not summarised: ${reason}`
}
