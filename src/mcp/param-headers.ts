import { isJsonObject, type JsonObject, type JsonValue } from '../json-value.ts'

/** An argument of a tool that a request names in a header too, as its server wants it. */
interface MirroredArgument {
  readonly path: readonly string[]
  readonly header: string
}

const keyword = 'x-mcp-header'
/** The types of arguments that a header may hold. */
const mirrored: readonly JsonValue[] = ['string', 'integer', 'boolean']

/** Whether a tool says validly which arguments go into headers. One that does not must not be offered over HTTP. */
export function hasValidHeaders(schema: JsonObject): boolean {
  const found = findMirrored(schema)
  const names = found.map(({ header }) => header.toLowerCase())
  return new Set(names).size === names.length && countMarks(schema) === found.length
}

/** Returns the headers of a call, by the schema of its tool. */
export function headersOf(schema: JsonObject, args: JsonObject): Readonly<Record<string, string>> {
  const headers = findMirrored(schema).flatMap(({ path, header }) => {
    const text = textOf(valueAt(args, path))
    return text === undefined ? [] : [[`Mcp-Param-${header}`, encoded(text)] as const]
  })
  return Object.fromEntries(headers)
}

/** Finds the arguments that are marked as they should be. Only objects may stand around them. */
function findMirrored(schema: JsonObject, path: readonly string[] = []): readonly MirroredArgument[] {
  const { properties } = schema
  const below = isJsonObject(properties) ? Object.entries(properties) : []
  const own = schema[keyword]
  const isOwn =
    path.length > 0 &&
    typeof own === 'string' &&
    /^[\w!#$%&'*+.^`|~-]+$/.test(own) &&
    mirrored.includes(schema['type'] ?? null)
  return [
    ...(isOwn ? [{ path, header: own }] : []),
    ...below.flatMap(([name, child]) => (isJsonObject(child) ? findMirrored(child, [...path, name]) : [])),
  ]
}

/** Counts all marks of a schema. A property of that name is none. */
function countMarks(schema: JsonValue, isOfNames = false): number {
  if (typeof schema !== 'object' || schema === null) return 0
  const own = !isOfNames && keyword in schema ? 1 : 0
  const parts = Array.isArray(schema)
    ? schema.map((one) => countMarks(one))
    : Object.entries(schema).map(([name, one]) =>
        data.includes(name) && !isOfNames ? 0 : countMarks(one, !isOfNames && named.includes(name)),
      )
  return parts.reduce((sum, one) => sum + one, own)
}

/** Keywords whose value is data, and those whose value holds schemas by names. */
const data: readonly string[] = ['const', 'default', 'enum', 'examples', keyword]
const named: readonly string[] = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
]

function valueAt(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((at, name) => (isJsonObject(at) ? at[name] : undefined), value)
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value)
  return undefined
}

/** Writes a text as a header can hold it. */
function encoded(text: string): string {
  const isPlain = /^[\x20-\x7e\t]+$/.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text)
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}
