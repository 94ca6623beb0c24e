import { localUser } from '../../../actor.ts'
import type { AuditEntry, AuditLog } from '../../../audit.ts'
import { type LayeredSettings, sourceOf } from '../../../config/layers.ts'
import type { PipeError } from '../../../error.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import type { ModePolicy } from '../../../permission/policy.ts'
import type { PermissionMode } from '../../../permission.ts'
import type { RunSettings } from '../run-choices.ts'
import type { TrustGate } from '../tools/trust-gate.ts'

/** Lists the consents given before a run: a mode other than the default, and trust for this run only. */
export function consentsOf(
  { settings, layers, trust }: Pick<LayeredSettings, 'settings' | 'layers' | 'trust'>,
  { trusts }: Pick<RunSettings, 'trusts'>,
): readonly AuditEntry[] {
  const { mode = 'default' } = settings.permissions ?? {}
  const source = sourceOf(layers, ({ permissions }) => permissions?.mode)?.name
  const set = {
    decision: 'mode_set',
    actor: localUser,
    audit: { to: mode, ...omitUndefined({ source }) },
  } as const
  const trusted = { folder: trust.decided, source: '--trust', for: 'this run' }
  return [
    ...(mode === 'default' ? [] : [set]),
    ...(trusts ? [{ decision: 'trust_granted', actor: localUser, audit: trusted } as const] : []),
  ]
}

/** Wraps a log to write these consents before its first entry. A run without decisions logs none. */
export function withConsents(audit: AuditLog, consents: readonly AuditEntry[]): AuditLog {
  let unsaid = consents
  return {
    get unsaved() {
      return audit.unsaved
    },
    get head() {
      return audit.head
    },
    append: (entry) => {
      for (const consent of unsaid) audit.append(consent)
      unsaid = []
      audit.append(entry)
    },
    settle: () => audit.settle(),
    sync: () => audit.sync(),
    close: () => audit.close(),
  }
}

/**
 * Wraps a policy's mode. A mode is consent in advance, so each change is logged before it applies. One that is refused is neither logged
 * nor applied: setting it throws the refusal.
 */
export function auditedMode(
  policy: Pick<ModePolicy, 'mode'>,
  audit: AuditLog,
  refusalOf: (mode: PermissionMode) => PipeError | undefined = () => undefined,
): Pick<ModePolicy, 'mode'> {
  return {
    get mode() {
      return policy.mode
    },
    set mode(mode) {
      const refusal = refusalOf(mode)
      if (refusal !== undefined) throw refusal
      if (mode === policy.mode) return
      audit.append({ decision: 'mode_set', actor: localUser, audit: { from: policy.mode, to: mode } })
      policy.mode = mode
    },
  }
}

/** Wraps a gate so that decisions to trust a folder are on disk in the audit log before they apply. */
export function auditedTrust(gate: TrustGate, audit: AuditLog): TrustGate {
  return {
    get isTrusted() {
      return gate.isTrusted
    },
    get startsAnew() {
      return gate.startsAnew
    },
    question: () => gate.question(),
    answer: async (response) => {
      const { selectedOptionId, interactionId, answeredBy } = response
      if (selectedOptionId !== undefined && selectedOptionId !== 'later') {
        const decision = selectedOptionId === 'deny' ? 'trust_denied' : 'trust_granted'
        const shown = omitUndefined({ shown: gate.question()?.display.content })
        audit.append({ decision, actor: answeredBy, audit: { interaction_id: interactionId, ...shown } })
        await audit.sync()
      }
      return gate.answer(response)
    },
  }
}
