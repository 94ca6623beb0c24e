import { isJsonObject, parseJson } from '../json-value.ts'

// What models send in place of what they should. What is none of it stays as it is, for the schema to refuse.

/** Fields that are null are left out: who keeps to a strict schema has no other way to. */
export const withoutNulls = without(null)

/** So are those that are empty, where no text is meant to be. */
export const withoutBlanks = without(null, '')

function without(...blanks: readonly unknown[]) {
  return (given: unknown): unknown =>
    isJsonObject(given)
      ? Object.fromEntries(Object.entries(given).filter(([, value]) => !blanks.includes(value)))
      : given
}

/** What other programs' tools call a field. */
export const otherNames: ReadonlyMap<string, string> = new Map([
  ['run_in_background', 'background'],
  ['is_background', 'background'],
])

/** Fields that came under other names under their own too, where that is free; without nulls. */
export function withOwnNames(given: unknown): unknown {
  const fields = withoutNulls(given)
  if (!isJsonObject(fields)) return fields
  const renamed = Object.entries(fields).map(([name, value]) => [otherNames.get(name) ?? name, value])
  return { ...Object.fromEntries(renamed), ...fields }
}

/** A list may come as its JSON text, and what is to be its only item without a list around it. */
export function asList(given: unknown): unknown {
  const read = typeof given === 'string' ? parseJson(given) : given
  if (isJsonObject(read)) return [read]
  return Array.isArray(read) ? read : given
}

/** A whole number may come as text. */
export function asCount(given: unknown): unknown {
  return typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given
}

/** Who counts from 0 means the first. */
export function asLineNumber(given: unknown): unknown {
  return asCount(given) === 0 ? 1 : given
}

/** One of a few words may come in any case, with spaces or hyphens: `In-Progress`. */
export function asWord(given: unknown): unknown {
  return typeof given === 'string' ? given.toLowerCase().replace(/[\s-]+/g, '_') : given
}

/** `true` or `false` may come as text. */
export function asFlag(given: unknown): unknown {
  const word = asWord(given)
  return word === 'true' || (word === 'false' ? false : given)
}

/** What is only shown may come as what it says: `3`, `true`. */
export function asLabel(given: unknown): unknown {
  return typeof given === 'number' || typeof given === 'boolean' ? String(given) : given
}
