import type { AgentFact } from '../../event.ts'

/** Confirms to the user that rules were saved, and where. */
export function rulesNote({ file, rules }: Extract<AgentFact, { readonly type: 'rules_saved' }>): string {
  return `Saved in ${file}: ${rules.join(', ')}`
}
