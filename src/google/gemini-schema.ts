import type { JsonObject, JsonValue } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { count, list, object, objects, text } from '../wire/json-fields.ts'

/**
 * Reduces a JSON Schema to the subset of OpenAPI that Gemini accepts for function parameters: translates or inlines what it can, and
 * drops the rest. Returns `undefined` for a function without parameters, whose schema Gemini refuses.
 */
export function parametersSchema(schema: JsonObject): JsonObject | undefined {
  const { anyOf, ...whole } = new SchemaReader(schema).read({ ...schema, type: 'object' })
  // The top must be one object: merges the properties of several.
  const variants = objects(anyOf).map((variant) => Object.entries(object(variant['properties']) ?? {}))
  const properties = whole['properties'] ?? Object.fromEntries(variants.flat())
  return Object.keys(properties ?? {}).length > 0 ? { type: 'OBJECT', ...whole, properties } : undefined
}

const types: Readonly<Record<string, string>> = {
  string: 'STRING',
  number: 'NUMBER',
  integer: 'INTEGER',
  boolean: 'BOOLEAN',
  array: 'ARRAY',
  object: 'OBJECT',
}

/** Accepted formats by type. */
const formats: Readonly<Record<string, readonly string[]>> = {
  STRING: ['date-time'],
  NUMBER: ['float', 'double'],
  INTEGER: ['int32', 'int64'],
}

/** Keywords that define a schema's values. Without any of them, it only restricts values. */
const kinds = [
  'type',
  '$ref',
  'const',
  'enum',
  'properties',
  'items',
  'prefixItems',
  'anyOf',
  'oneOf',
  'allOf',
]

/** Maximum references to follow in one schema, as definitions may refer to each other endlessly. */
const maxReferences = 200

class SchemaReader {
  readonly #root: JsonObject
  #references = 0

  constructor(root: JsonObject) {
    this.#root = root
  }

  /** Reads a schema. `within` are the references that led here: one that leads to itself becomes an object of any kind. */
  read(schema: JsonObject, within: readonly string[] = []): JsonObject {
    if (typeof schema['$ref'] === 'string') return this.#follow(schema['$ref'], schema, within)
    return (
      this.#readParts(schema, within) ??
      this.#readVariants(schema, within) ??
      describe(this.#readOne(typeOf(schema), schema, within), schema)
    )
  }

  #follow(reference: string, { $ref: _, ...beside }: JsonObject, within: readonly string[]): JsonObject {
    if (within.includes(reference) || this.#references++ >= maxReferences)
      return describe({ type: 'OBJECT' }, beside)
    return this.read({ ...resolve(reference, this.#root), ...beside }, [...within, reference])
  }

  /** Merges the parts of `allOf` with the keywords next to it. */
  #readParts({ allOf, ...beside }: JsonObject, within: readonly string[]): JsonObject | undefined {
    const parts = [beside, ...objects(allOf)].filter(definesValues)
    if (list(allOf).length === 0 || parts.length === 0) return undefined
    const read = parts.map((part) => this.read(part, within))
    const properties = read.flatMap((part) => Object.entries(object(part['properties']) ?? {}))
    const required = [...new Set(read.flatMap((part) => list(part['required'])))]
    const merged: JsonObject = Object.assign({}, ...read.toReversed(), {
      ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
      ...(required.length > 0 ? { required } : {}),
    })
    const { anyOf: _, ...typed } = merged
    return describe(typed['type'] === undefined ? merged : typed, beside)
  }

  /** Moves keywords next to `anyOf` into each variant, as Gemini refuses them there. */
  #readVariants(schema: JsonObject, within: readonly string[]): JsonObject | undefined {
    const { anyOf, oneOf, ...whole } = schema
    const { type, ...beside } = whole
    const alternatives = [...objects(anyOf), ...objects(oneOf)].filter(definesValues)
    const all =
      alternatives.length > 0
        ? alternatives.map((each) => ({ ...whole, ...each }))
        : list(type).map((one) => ({ ...beside, type: one }))
    if (all.length === 0) return undefined
    const variants = all.filter((each) => each['type'] !== 'null')
    const nullable = variants.length < all.length ? { nullable: true } : {}
    const read = variants.map((each) => ({ ...this.read(each, within), ...nullable }))
    return read.length > 1 ? { anyOf: read } : (read[0] ?? { type: 'STRING', ...nullable })
  }

  #readOne(type: string, schema: JsonObject, within: readonly string[]): JsonObject {
    const format = formats[type]?.find((known) => known === schema['format'])
    const { minimum, maximum, minItems, maxItems } = schema
    switch (type) {
      case 'OBJECT':
        return { type, ...this.#properties(schema, within) }
      case 'ARRAY':
        return {
          type,
          items: this.read(itemsOf(schema), within),
          ...omitUndefined({ minItems: count(minItems), maxItems: count(maxItems) }),
        }
      case 'STRING':
        return { type, ...omitUndefined({ format }), ...enumeration(schema) }
      case 'BOOLEAN':
        return { type }
      default:
        return { type, ...omitUndefined({ format, minimum: number(minimum), maximum: number(maximum) }) }
    }
  }

  /** Reads the properties of an object. Without any, it may hold all. */
  #properties(schema: JsonObject, within: readonly string[]): JsonObject {
    const properties = Object.entries(object(schema['properties']) ?? {})
    if (properties.length === 0) return {}
    const names = properties.map(([name]) => name)
    const required = list(schema['required']).filter((name) => names.includes(text(name)))
    return {
      properties: Object.fromEntries(
        properties.map(([name, each]) => [name, this.read(object(each) ?? {}, within)]),
      ),
      ...(required.length > 0 ? { required } : {}),
    }
  }
}

/** Resolves a reference into the same schema. */
function resolve(reference: string, root: JsonObject): JsonObject | undefined {
  const [start, ...steps] = reference.split('/')
  if (start !== '#') return undefined
  return steps.reduce<JsonObject | undefined>(
    (at, step) => object(at?.[step.replaceAll('~1', '/').replaceAll('~0', '~')]),
    root,
  )
}

function itemsOf({ items, prefixItems }: JsonObject): JsonObject {
  return object(items) ?? { anyOf: [...list(items), ...list(prefixItems)] }
}

/** Returns the type, which Gemini requires. Infers a missing one from other keywords. */
function typeOf(schema: JsonObject): string {
  const named = types[text(schema['type'])]
  if (named !== undefined) return named
  if (schema['properties'] !== undefined) return 'OBJECT'
  if (schema['items'] !== undefined || schema['prefixItems'] !== undefined) return 'ARRAY'
  const [value] = allowed(schema)
  if (typeof value === 'boolean') return 'BOOLEAN'
  return typeof value === 'number' ? 'NUMBER' : 'STRING'
}

/** Returns the enumeration. Gemini accepts only non-empty texts in it. */
function enumeration(schema: JsonObject): JsonObject {
  const texts = allowed(schema).filter((value) => text(value) !== '')
  return texts.length > 0 ? { enum: texts } : {}
}

function allowed({ const: one, enum: some }: JsonObject): readonly JsonValue[] {
  return one === undefined ? list(some) : [one]
}

function describe(read: JsonObject, { description, nullable }: JsonObject): JsonObject {
  return {
    ...read,
    ...(text(description) === '' ? {} : { description: text(description) }),
    ...(nullable === true ? { nullable } : {}),
  }
}

function definesValues(schema: JsonObject): boolean {
  return kinds.some((kind) => kind in schema)
}

function number(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}
