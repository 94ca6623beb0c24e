import { isJsonObject, type JsonValue } from '../json-value.ts'
import type * as Schemas from './arguments.ts'
import { asList, otherNames } from './near-shapes.ts'
import parameters from './parameters.json' with { type: 'json' }

export type ToolName = keyof typeof Schemas

/** The signature of a tool, for error messages: `read(path: string, offset?: integer)`. */
export function usage(name: ToolName): string {
  return `${name}(${fields(parameters[name])})`
}

/** The paths of fields that the tool does not have, such as `edits.0.replaceAll`. */
export function unknownFields(name: ToolName, args: JsonValue): readonly string[] {
  return unknownIn(args, parameters[name], '').filter((field) => !remarks.includes(field))
}

/** Fields that other tools take for a note on the call. Ignored. */
const remarks = ['description', 'explanation']

/** The part of JSON Schema that the tools use. */
interface Schema {
  readonly type: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

function fields({ properties = {}, required = [] }: Schema): string {
  return Object.entries(properties)
    .map(([name, schema]) => `${name}${required.includes(name) ? '' : '?'}: ${shape(schema)}`)
    .join(', ')
}

function shape(schema: Schema): string {
  if (schema.items !== undefined) return `[${shape(schema.items)}]`
  if (schema.properties !== undefined) return `{${fields(schema)}}`
  return schema.enum?.join('|') ?? schema.type
}

function unknownIn(given: unknown, { items, properties }: Schema, path: string): readonly string[] {
  if (items !== undefined) {
    const list = asList(given)
    return Array.isArray(list) ? list.flatMap((item, i) => unknownIn(item, items, `${path}${i}.`)) : []
  }
  if (properties === undefined || !isJsonObject(given)) return []
  return Object.entries(given).flatMap(([name, value]) => {
    const own = otherNames.get(name) ?? name
    const known = Object.hasOwn(properties, own) ? properties[own] : undefined
    if (known !== undefined) return unknownIn(value, known, `${path}${name}.`)
    return value === null ? [] : [path + name]
  })
}
