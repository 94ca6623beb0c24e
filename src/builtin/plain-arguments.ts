import { isJsonObject, type JsonValue } from '../json-value.ts'
import parameters from './parameters.json' with { type: 'json' }
import type { ToolName } from './tool-signature.ts'

/** A parameter as models see it. */
interface Parameter {
  readonly type: string
  readonly enum?: readonly string[]
}

/**
 * Whether arguments fit the published parameters of a tool so plainly that its schema need not be loaded, which takes longer than most
 * commands run: known fields only, no empty text, whole numbers above 0, no lists or objects.
 */
export function fitsPlainly(name: ToolName, args: JsonValue): boolean {
  if (!isJsonObject(args)) return false
  const { properties, required }: { properties: object; required: readonly string[] } = parameters[name]
  const known = new Map<string, Parameter>(Object.entries(properties))
  const given = Object.entries(args)
  return (
    required.every((field) => Object.hasOwn(args, field)) &&
    given.every(([field, value]) => isPlain(value, known.get(field)))
  )
}

function isPlain(value: JsonValue | undefined, parameter: Parameter | undefined): boolean {
  switch (parameter?.type) {
    case 'string':
      return typeof value === 'string' && value !== '' && parameter.enum?.includes(value) !== false
    case 'integer':
      return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
    case 'boolean':
      return typeof value === 'boolean'
    default:
      return false
  }
}
