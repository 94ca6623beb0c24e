import * as canonical from '../../canonical/canonical.ts'
import * as adapter from '../../canonical/canonical-provider.ts'
import type { Provider } from '../../provider.ts'
import { systemIds } from '../host.ts'
import { systemClock } from '../system-clock.ts'

/** Makes a message, by default with a new id, the current time and no metadata. Does not validate it. */
export function canonicalMessage(
  role: canonical.Role,
  content: string,
  facts: Partial<canonical.CanonicalFacts> = {},
): canonical.CanonicalMessage {
  const { id = systemIds().message(), timestamp = canonical.formatTime(systemClock.now()), ...more } = facts
  return canonical.createCanonicalMessage(role, content, { id, timestamp, ...more })
}

/**
 * Throws `invalid` with `details.field` and `details.reason` for a message that breaks a rule: its content is not blank, its time is at
 * most an hour ahead and 100 years back.
 */
export function validateCanonicalMessage(message: canonical.CanonicalMessage): void {
  canonical.checkCanonicalMessage(message, systemClock.now())
}

/** Lets a provider answer canonical messages with one of its models, without tools. */
export function canonicalProvider(provider: Provider, model: string): adapter.CanonicalProvider {
  return adapter.createCanonicalProvider(provider, model, { newId: systemIds(), clock: systemClock })
}
