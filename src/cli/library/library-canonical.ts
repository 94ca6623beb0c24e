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
 * Throws `invalid` with `details.field` and `details.reason` for a message that breaks a rule: its id is a UUID, its role known, its
 * content not blank, its time at most an hour ahead and 100 years back, its metadata absent or texts. Takes any value.
 */
export function validateCanonicalMessage(message: unknown): asserts message is canonical.CanonicalMessage {
  canonical.checkCanonicalMessage(message, systemClock.now())
}

/**
 * Reads a message from parsed JSON, as `encodeCanonicalMessage` writes it: its metadata may be absent, its id in capitals, and other fields
 * are left out. Throws as `validateCanonicalMessage`.
 */
export function decodeCanonicalMessage(value: unknown): canonical.CanonicalMessage {
  return canonical.readCanonicalMessage(value, systemClock.now())
}

/** Lets a provider answer canonical messages with one of its models, without tools. Default: the provider's usual model. */
export function canonicalProvider(provider: Provider, model = ''): adapter.CanonicalProvider {
  return adapter.createCanonicalProvider(provider, model, { newId: systemIds(), clock: systemClock })
}
