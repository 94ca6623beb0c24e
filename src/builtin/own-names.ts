import { isJsonObject, type JsonObject, type JsonValue, textField } from '../json-value.ts'
import type { ToolExecutor } from '../tool.ts'
import parameters from './parameters.json' with { type: 'json' }

/** Names that other agents have for our arguments. A model that goes on with their session writes them on. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  path: ['file_path', 'filePath', 'absolute_path', 'dir_path'],
  old_text: ['old_string', 'oldString', 'oldText', 'old_str'],
  new_text: ['new_string', 'newString', 'newText', 'new_str'],
  replace_all: ['replaceAll'],
  ignore_case: ['ignoreCase'],
  glob: ['include', 'include_pattern'],
}

/** Returns the path of a call, whichever agent's name the argument has. */
export function pathUnderAnyName(args: JsonValue): string {
  const names = ['path', ...(aliases['path'] ?? [])]
  return names.flatMap((name) => textField(args, name) ?? []).at(0) ?? ''
}

/** The part of JSON Schema that the tools use. */
interface Schema {
  readonly type?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

const schemas: Readonly<Record<string, Schema>> = parameters

/**
 * Gives the arguments of built-in tools our names. It stands before the guard, so that rules judge the same path that the tool opens.
 * Tools of others get their arguments as they are.
 */
export function underOwnNames(executor: ToolExecutor): ToolExecutor {
  return {
    tools: () => executor.tools(),
    execute: (name, args, context) => executor.execute(name, ownNames(name, args), context),
  }
}

/** Returns arguments of a built-in tool under our names. An argument that is given under two names is left for the tool to refuse. */
function ownNames(tool: string, args: JsonValue): JsonValue {
  const schema = Object.hasOwn(schemas, tool) ? schemas[tool] : undefined
  return schema === undefined ? args : renamed(args, schema)
}

function renamed(args: JsonValue, { items, properties }: Schema): JsonValue {
  if (Array.isArray(args)) return items === undefined ? args : args.map((item) => renamed(item, items))
  if (properties === undefined || !isJsonObject(args)) return args
  const fields = Object.entries(args).map(([name, value]) => {
    const own = ownName(name, args, properties)
    const schema = properties[own]
    return [own, schema === undefined ? value : renamed(value, schema)]
  })
  return Object.fromEntries(fields)
}

function ownName(name: string, args: JsonObject, properties: Readonly<Record<string, Schema>>): string {
  if (Object.hasOwn(properties, name)) return name
  const own = Object.keys(aliases).find((key) => aliases[key]?.includes(name) === true)
  if (own === undefined || !Object.hasOwn(properties, own)) return name
  const given = [own, ...(aliases[own] ?? [])].filter((one) => args[one] !== undefined)
  return given.length === 1 ? own : name
}
