import { isJsonObject } from '../json-value.ts'
import { unwrapped } from '../reply/call-arguments.ts'

// Normalises what models often send instead of the right shape. Anything else stays, for the schema to refuse.

/** Drops null fields: strict schemas leave a model no other way to omit one. */
export const withoutNulls = without(null)

/** Drops null and empty fields, for tools on which empty text has no meaning. */
export const withoutBlanks = without(null, '')

function without(...blanks: readonly unknown[]) {
  return (given: unknown): unknown =>
    isJsonObject(given)
      ? Object.fromEntries(Object.entries(given).filter(([, value]) => !blanks.includes(value)))
      : given
}

/** Accepts an item of a list as JSON text, and drops null fields. */
export function asItem(given: unknown): unknown {
  return withoutNulls(unwrappedText(given))
}

function unwrappedText(given: unknown): unknown {
  return typeof given === 'string' ? unwrapped(given) : given
}

/** Other tools' names for our fields. */
export const otherNames: ReadonlyMap<string, string> = new Map([
  ['run_in_background', 'background'],
  ['is_background', 'background'],
])

/** Adds our field names to those of other tools, unless they are already given. Drops nulls. */
export function withOwnNames(given: unknown): unknown {
  const fields = withoutNulls(given)
  if (!isJsonObject(fields)) return fields
  const renamed = Object.entries(fields).map(([name, value]) => [otherNames.get(name) ?? name, value])
  return { ...Object.fromEntries(renamed), ...fields }
}

/** Accepts a list as JSON text, and a single item without a list around it. */
export function asList(given: unknown): unknown {
  const read = unwrappedText(given)
  if (isJsonObject(read)) return [read]
  return Array.isArray(read) ? read : given
}

/** Accepts a whole number as text. */
export function asCount(given: unknown): unknown {
  return typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given
}

/** Reads 0 as the first line, for models that count from 0. */
export function asLineNumber(given: unknown): unknown {
  return asCount(given) === 0 ? 1 : given
}

/** Accepts one of a few words in any case, with spaces or hyphens: `In-Progress`. */
export function asWord(given: unknown): unknown {
  return typeof given === 'string' ? given.toLowerCase().replace(/[\s-]+/g, '_') : given
}

/** Accepts `true` and `false` as text. */
export function asFlag(given: unknown): unknown {
  const word = asWord(given)
  return word === 'true' || (word === 'false' ? false : given)
}

/** Accepts numbers and booleans where text is only shown. */
export function asLabel(given: unknown): unknown {
  return typeof given === 'number' || typeof given === 'boolean' ? String(given) : given
}
