import { type AuditLog, localUser } from '../audit.ts'
import type { ModePolicy } from '../policy/policy.ts'
import { present } from '../present.ts'
import type { TrustGate } from './trust-gate.ts'

/** The mode of a policy. A mode is a consent given beforehand: each change of it is in the audit log before it holds. */
export function auditedMode(policy: Pick<ModePolicy, 'mode'>, audit: AuditLog): Pick<ModePolicy, 'mode'> {
  return {
    get mode() {
      return policy.mode
    },
    set mode(mode) {
      if (mode === policy.mode) return
      audit.append({ decision: 'mode_set', actor: localUser, audit: { from: policy.mode, to: mode } })
      policy.mode = mode
    },
  }
}

/** The gate; that a person trusts a folder is in the audit log before it holds. */
export function auditedTrust(gate: TrustGate, audit: AuditLog): TrustGate {
  return {
    question: () => gate.question(),
    answer: async (response) => {
      if (response.selectedOptionId === 'allow') {
        const facts = {
          interaction_id: response.interactionId,
          ...present({ shown: gate.question()?.display.content }),
        }
        audit.append({ decision: 'trust_granted', actor: response.answeredBy, audit: facts })
      }
      return gate.answer(response)
    },
  }
}
