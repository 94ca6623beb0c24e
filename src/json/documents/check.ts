import { isJsonObject, type JsonObject, type JsonValue } from '../../json-value.ts'

/** Tells whether parsed JSON has this type. */
export type Check<T> = (value: unknown) => value is T

type OptionalKeys<T> = { [Key in keyof T]-?: object extends Pick<T, Key> ? Key : never }[keyof T]

/** A check for each field that must be present. */
type Always<T> = { readonly [Key in Exclude<keyof T, OptionalKeys<T>>]: Check<T[Key]> }
/** A check for each field that may be absent. */
type Sometimes<T> = { readonly [Key in OptionalKeys<T>]: Check<Exclude<T[Key], undefined>> }

/** Checks an object. The compiler requires every field of the type; fields that the type lacks are allowed. */
export function object<T>(required: Always<T>, optional: Sometimes<T>): Check<T> {
  const fields = fieldsOf(required, optional)
  return (value): value is T => isJsonObject(value) && hasFields(value, fields)
}

/** The fields of each member of a union, by its `type`. */
type Variants<T extends { readonly type: string }> = {
  readonly [Type in T['type']]: readonly [
    required: Always<Omit<Extract<T, { readonly type: Type }>, 'type'>>,
    optional: Sometimes<Omit<Extract<T, { readonly type: Type }>, 'type'>>,
  ]
}

/** Checks an object whose `type` says which fields it has. */
export function variant<T extends { readonly type: string }>(variants: Variants<T>): Check<T> {
  const entries = Object.entries<readonly [object, object]>(variants)
  const fieldsByType = new Map(entries.map(([type, fields]) => [type, fieldsOf(...fields)]))
  return (value): value is T => {
    if (!isJsonObject(value) || typeof value['type'] !== 'string') return false
    const fields = fieldsByType.get(value['type'])
    return fields !== undefined && hasFields(value, fields)
  }
}

export function list<T>(check: Check<T>): Check<T[]> {
  return (value): value is T[] => Array.isArray(value) && value.every(check)
}

export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

export function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

/** JSON may hold numbers that are too large, which become infinite. */
export function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

/** Any JSON value, which is undefined only where a field is absent. */
export function isPresent(value: unknown): value is JsonValue {
  return value !== undefined
}

export function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every(isString)
}

type Test = (value: unknown) => boolean

interface Field {
  readonly name: string
  readonly test: Test
  readonly isRequired: boolean
}

function fieldsOf(required: object, optional: object): readonly Field[] {
  const make = (tests: object, isRequired: boolean) =>
    Object.entries<Test>({ ...tests }).map(([name, test]) => ({ name, test, isRequired }))
  return [...make(required, true), ...make(optional, false)]
}

function hasFields(value: JsonObject, fields: readonly Field[]): boolean {
  for (const { name, test, isRequired } of fields) {
    const found = value[name]
    if (found === undefined ? isRequired : !test(found)) return false
  }
  return true
}
