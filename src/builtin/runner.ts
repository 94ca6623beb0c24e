import type * as z from 'zod/mini'
import type { JsonValue } from '../json-value.ts'
import { errorResult, type ToolContext, type ToolResult, type ToolRun } from '../tool.ts'
import type * as Schemas from './arguments.ts'
import { few } from './short-text.ts'
import { type ToolName, unknownFields, usage } from './usage.ts'
import type { Workspace } from './workspace.ts'

/** What one built-in tool does. */
interface Definition<Arguments> {
  readonly name: ToolName
  /** Asked when the first call arrives, because schemas take time to load. */
  schema(schemas: typeof Schemas): z.ZodMiniType<Arguments>
  /** Begins what can go on while they do. */
  prepare?(workspace: Workspace): void
  /** A promise where it has nothing to show while it runs. */
  run(args: Arguments, workspace: Workspace, context: ToolContext): ToolRun | Promise<ToolResult>
}

/**
 * Carries out the calls of a tool. Bad arguments are an error result that names the fields; unknown ones are named in any result:
 * the model must not believe that they were heeded.
 */
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
      const unknown = few(unknownFields(name, args), ', ')
      if (parsed.success) {
        const run = definition.run(parsed.data, workspace, context)
        const result = Symbol.asyncIterator in run ? yield* run : await run
        if (unknown === '') return result
        const ignored = `ignored, because ${name} has no such argument: ${unknown}`
        return withNote(result, `${ignored}; usage: ${usage(name)}`)
      }
      const problems = parsed.error.issues.map(({ path, message }) =>
        path.length === 0 ? message : `${path.join('.')}: ${message}`,
      )
      const wrong = few(problems, '; ') + (unknown === '' ? '' : `; unknown: ${unknown}`)
      return errorResult(`bad arguments for ${name}: ${wrong}\nusage: ${usage(name)}`)
    },
  }
}

/** The result with a note for the model in brackets below its text, where it has one. */
export function withNote(result: ToolResult, note: string): ToolResult {
  const [first, ...rest] = result.content
  if (first?.type !== 'text') return result
  return { ...result, content: [{ ...first, text: `${first.text}\n[${note}]` }, ...rest] }
}
