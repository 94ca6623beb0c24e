import { dereference, type OutputUnit, type SchemaDraft, Validator } from '@cfworker/json-schema'
import { PipeError } from '../error.ts'
import { isDeeper, isJsonObject, type JsonObject, type JsonValue, maxArgumentLevels } from '../json-value.ts'
import { inTime } from '../process/in-time.ts'
import { schemaRules } from './schema-rules.ts'

/** Milliseconds that one check may take, because a pattern can need any time. */
const limitMs = 1_000

/** As many faults are told at once. */
const mostTold = 5

/** Checks values against one schema. Loads nothing from elsewhere. */
export class SchemaCheck {
  readonly #validator: Validator

  /** Throws `input` if the schema is none, or refers to what it does not hold. */
  constructor(schema: JsonObject) {
    const [fault] = faultsOf(new Validator(schemaRules, '2020-12', false), schema)
    if (fault !== undefined) throw invalid(fault)
    // The validator writes into its schema.
    const copy = structuredClone(schema)
    requireParts(copy)
    this.#validator = new Validator(copy, draftOf(schema), false)
  }

  /** Returns where and why a value does not fit, at most five times: `/items/0: …`. Empty if it fits. Throws `input` if that takes too long. */
  faults(value: JsonValue): readonly string[] {
    return faultsOf(this.#validator, value)
  }
}

/** Throws `input` for a reference to nothing, and for a pattern that is none. */
function requireParts(schema: JsonObject): void {
  const known = dereference(schema)
  for (const part of Object.values(known)) {
    if (typeof part === 'boolean') continue
    const { $ref, __absolute_ref__: target = $ref, pattern, patternProperties = {} } = part
    if (target !== undefined && !(target in known)) throw invalid(`it has nothing at ${$ref}`)
    for (const text of [...(pattern === undefined ? [] : [pattern]), ...Object.keys(patternProperties)])
      requirePattern(text)
  }
}

function requirePattern(text: string): void {
  try {
    new RegExp(text, 'u')
  } catch {
    throw invalid(`${JSON.stringify(text)} is not a valid pattern`)
  }
}

function faultsOf(validator: Validator, value: JsonValue): readonly string[] {
  if (isDeeper(value, maxArgumentLevels))
    return [`the whole: is nested deeper than ${maxArgumentLevels} levels`]
  const torn = tornName(value)
  if (torn !== undefined) return [`the whole: has half a surrogate pair in the name ${JSON.stringify(torn)}`]
  const errors = errorsOf(validator, value)
  if (typeof errors === 'string') return [`the whole: cannot be checked: ${errors}`]
  // An error is followed by those that caused it.
  const causes = errors.filter((error, i) => !isCausedBy(error, errors[i + 1]))
  return [...new Set(causes.map(describe))].slice(0, mostTold)
}

/** Returns why the validator gave up as a string, as on a schema that refers to itself without end. */
function errorsOf(validator: Validator, value: JsonValue): readonly OutputUnit[] | string {
  try {
    const checked = inTime(limitMs, () => validator.validate(value))
    if (checked !== undefined) return checked.result.errors
  } catch (error) {
    if (error instanceof RangeError || error instanceof URIError) return error.message
    throw error
  }
  throw invalid(`a check takes longer than ${limitMs / 1_000} s; simplify its patterns`)
}

/** Finds a name with half a surrogate pair, which no place can be written with. */
function tornName(value: JsonValue): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const torn = isJsonObject(value)
    ? Object.keys(value).find((name) => /\p{Surrogate}/u.test(name))
    : undefined
  if (torn !== undefined) return torn
  for (const entry of Object.values(value)) {
    const below = tornName(entry)
    if (below !== undefined) return below
  }
  return undefined
}

function isCausedBy(error: OutputUnit, next: OutputUnit | undefined): boolean {
  if (next === undefined) return false
  const { keywordLocation, instanceLocation } = error
  // A schema of `false` has no place of its own.
  if (next.keyword !== 'false' && next.keywordLocation !== keywordLocation)
    return next.keywordLocation.startsWith(`${keywordLocation}/`)
  return next.instanceLocation.startsWith(`${instanceLocation}/`)
}

function describe({ instanceLocation, keyword, error }: OutputUnit): string {
  const path = decodeURIComponent(instanceLocation.slice(1)) || 'the whole'
  return `${path}: ${keyword === 'false' ? 'is not allowed' : error.replace(/\.$/, '')}`
}

const drafts: readonly (readonly [RegExp, SchemaDraft])[] = [
  [/draft-04/, '4'],
  [/draft-0[67]/, '7'],
  [/2019-09/, '2019-09'],
]

function draftOf({ $schema }: JsonObject): SchemaDraft {
  const found = drafts.find(([name]) => typeof $schema === 'string' && name.test($schema))
  return found?.[1] ?? '2020-12'
}

function invalid(reason: string): PipeError {
  return new PipeError('input', `the schema is not valid: ${reason}`, { details: { reason } })
}
