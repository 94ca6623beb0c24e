import type { JsonObject, JsonValue } from '../json-value.ts'
import { textField } from '../json-value.ts'
import type { Tool, ToolFacts, ToolPath } from '../tool.ts'
import parameters from './parameters.json' with { type: 'json' }
import type { ToolName } from './tool-signature.ts'

/** Joins the facts of a built-in tool with its description and the schema of its arguments. */
export function defineTool(
  description: string,
  facts: ToolFacts & { readonly name: ToolName },
): Tool & { readonly name: ToolName } {
  const schema: JsonObject = parameters[facts.name]
  return { ...facts, description: description.trim(), parameters: schema }
}

/** Lists the path in the argument `path`, if the call has one. */
export function pathArgument(args: JsonValue, access: ToolPath['access']): readonly ToolPath[] {
  const path = textField(args, 'path')
  return path === undefined ? [] : [{ path, access }]
}

/** Joins the texts of these arguments, those that are missing left out. */
export function joinedArguments(args: JsonValue, names: readonly string[], between = ' '): string {
  return names.flatMap((name) => textField(args, name) || []).join(between)
}
