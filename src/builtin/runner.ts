import type * as z from 'zod/mini'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import { errorResult, type ToolContext, type ToolResult, type ToolRun } from '../tool.ts'
import type * as Schemas from './arguments.ts'
import parameters from './parameters.json' with { type: 'json' }
import type { Workspace } from './workspace.ts'

export type ToolName = keyof typeof Schemas

/** What one built-in tool does. */
export interface Definition<Arguments> {
  readonly name: ToolName
  /** Asked when the first call arrives, because schemas take time to load. */
  schema(schemas: typeof Schemas): z.ZodMiniType<Arguments>
  /** Begins what can go on while they do. */
  prepare?(workspace: Workspace): void
  /** A promise where it has nothing to show while it runs. */
  run(args: Arguments, workspace: Workspace, context: ToolContext): ToolRun | Promise<ToolResult>
}

/** Carries out the calls of a tool. Bad arguments are an error result that names the field; unknown ones are named in the result. */
export interface Runner {
  readonly name: ToolName
  execute(args: JsonValue, workspace: Workspace, context: ToolContext): ToolRun
}

export function defineRunner<Arguments>(definition: Definition<Arguments>): Runner {
  const { name } = definition
  let schema: z.ZodMiniType<Arguments> | undefined
  return {
    name,
    async *execute(args, workspace, context) {
      definition.prepare?.(workspace)
      schema ??= definition.schema(await import('./arguments.ts'))
      const { default: english } = await import('zod/v4/locales/en.js')
      // Calls are too few for zod to write a faster parser first.
      const parsed = schema.safeParse(args, { jitless: true, error: english().localeError })
      if (parsed.success) {
        const run = definition.run(parsed.data, workspace, context)
        const result = Symbol.asyncIterator in run ? yield* run : await run
        return withUnknown(result, name, args)
      }
      const problems = parsed.error.issues.map(({ path, message }) =>
        path.length === 0 ? message : `${path.join('.')}: ${message}`,
      )
      return errorResult(`bad arguments for ${name}: ${problems.join('; ')}\nusage: ${usage(name)}`)
    },
  }
}

/** What other programs' tools take to say what a call is for. */
const remarks = ['description', 'explanation']

/** The result, with the arguments that the tool does not have: the model must not believe that they were heeded. */
function withUnknown(result: ToolResult, name: ToolName, args: JsonValue): ToolResult {
  const known = Object.keys(parameters[name].properties)
  const given = isJsonObject(args) ? Object.keys(args) : []
  const unknown = given.filter((field) => !known.includes(field) && !remarks.includes(field))
  if (unknown.length === 0) return result
  return withNote(
    result,
    `ignored, because ${name} has no such argument: ${unknown.join(', ')}; usage: ${usage(name)}`,
  )
}

/** The result with a note for the model in brackets below its text, where it has one. */
export function withNote(result: ToolResult, note: string): ToolResult {
  const [first, ...rest] = result.content
  if (first?.type !== 'text') return result
  return { ...result, content: [{ ...first, text: `${first.text}\n[${note}]` }, ...rest] }
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
