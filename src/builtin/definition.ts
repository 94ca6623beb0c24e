import type * as z from 'zod'
import type { Capability } from '../actor.ts'
import type { JsonValue } from '../json-value.ts'
import { errorResult, type Tool, type ToolContext, type ToolResult, type ToolRun } from '../tool.ts'
import type * as Schemas from './arguments.ts'
import parameters from './parameters.json' with { type: 'json' }
import type { Workspace } from './workspace.ts'

export type ToolName = keyof typeof Schemas

/** One built-in tool: what the model reads, what its arguments are, what it does. */
export interface Definition<Arguments> {
  readonly name: ToolName
  readonly description: string
  readonly capability: Capability
  readonly readOnly: boolean | ((args: JsonValue) => boolean)
  /** Asked when the first call arrives, because schemas take time to load. */
  schema(schemas: typeof Schemas): z.ZodType<Arguments>
  /** A promise where it has nothing to show while it runs. */
  run(args: Arguments, workspace: Workspace, context: ToolContext): ToolRun | Promise<ToolResult>
}

/** A definition whose arguments are checked inside: bad ones are an error result that names the field. */
export interface BuiltinTool {
  readonly tool: Tool
  execute(args: JsonValue, workspace: Workspace, context: ToolContext): ToolRun
}

export function defineTool<Arguments>(definition: Definition<Arguments>): BuiltinTool {
  const { name, description, capability, readOnly } = definition
  return {
    tool: {
      name,
      description: description.trim(),
      parameters: parameters[name],
      capability,
      readOnly: typeof readOnly === 'boolean' ? () => readOnly : readOnly,
    },
    async *execute(args, workspace, context) {
      const schema = definition.schema(await import('./arguments.ts'))
      const parsed = schema.safeParse(args)
      if (parsed.success) {
        const run = definition.run(parsed.data, workspace, context)
        return Symbol.asyncIterator in run ? yield* run : await run
      }
      const problems = parsed.error.issues.map(({ path, message }) =>
        path.length === 0 ? message : `${path.join('.')}: ${message}`,
      )
      return errorResult(`bad arguments for ${name}: ${problems.join('; ')}\nusage: ${usage(name)}`)
    },
  }
}

/** `read(path: string, offset?: integer)` */
function usage(name: ToolName): string {
  const { properties, required }: ObjectSchema = parameters[name]
  const fields = Object.entries(properties).map(
    ([field, { type }]) => `${field}${required.includes(field) ? '' : '?'}: ${type}`,
  )
  return `${name}(${fields.join(', ')})`
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, { readonly type: string }>>
  readonly required: readonly string[]
}
