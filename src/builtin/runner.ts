import type * as z from 'zod/mini'
import { PipeError } from '../error.ts'
import type { Interaction } from '../interaction.ts'
import type { JsonValue } from '../json-value.ts'
import { errorResult, type ToolContext, type ToolResult, type ToolRun } from '../tool.ts'
import type * as Schemas from './arguments.ts'
import { fitsPlainly } from './plain-arguments.ts'
import { few } from './short-text.ts'
import { type ToolName, unknownFields, usage } from './tool-signature.ts'
import type { Workspace } from './workspace.ts'

/** The implementation of one built-in tool. */
interface Definition<Arguments> {
  readonly name: ToolName
  /** Whether the schema takes all arguments that fit plainly, as they are (see `fitsPlainly`). Default: false. */
  readonly takesPlain?: boolean
  /** Called on the first call with other arguments, because schemas take time to load. */
  schema(schemas: typeof Schemas): z.ZodMiniType<Arguments>
  /** Starts work that can run while schemas load. */
  prepare?(workspace: Workspace): void
  /** Words the question that each call is. Throws `invalid`. Default: calls are judged. */
  consent?(args: Arguments, workspace: Workspace): Promise<Interaction['display']>
  /** Returns a promise if the tool shows nothing while it runs. */
  run(args: Arguments, workspace: Workspace, context: ToolContext): ToolRun | Promise<ToolResult>
}

/**
 * Runs the calls of a tool. Returns an error result that names bad arguments. Names unknown arguments in every result, so that the
 * model does not assume they had an effect.
 */
export interface Runner {
  readonly name: ToolName
  /** Whether it takes arguments that fit plainly without its schema. */
  readonly takesPlain: boolean
  /** Returns the result for arguments that the schema refuses, without running anything; `undefined` for others. */
  refuse(args: JsonValue): Promise<ToolResult | undefined>
  /** As `Tool.consent`, for a tool whose calls are questions. */
  consent(args: JsonValue, workspace: Workspace): Promise<Interaction['display']>
  execute(args: JsonValue, workspace: Workspace, context: ToolContext): ToolRun
}

/** Arguments that fit, with the unknown ones to name; or why they do not. */
type Read<Arguments> = { readonly data: Arguments; readonly unknown: string } | { readonly refusal: string }

export function defineRunner<Arguments>(definition: Definition<Arguments>): Runner {
  const { name, takesPlain = false } = definition
  let schema: z.ZodMiniType<Arguments> | undefined
  const isPlain = (args: JsonValue): args is JsonValue & Arguments => takesPlain && fitsPlainly(name, args)
  const parse = async (args: JsonValue): Promise<Read<Arguments>> => {
    if (isPlain(args)) return { data: args, unknown: '' }
    schema ??= definition.schema(await import('./arguments.ts'))
    const { default: english } = await import('zod/v4/locales/en.js')
    // There are too few calls for zod's compiled parser to pay off.
    const parsed = schema.safeParse(args, { jitless: true, error: english().localeError })
    const unknown = few(unknownFields(name, args), ', ')
    if (parsed.success) return { data: parsed.data, unknown }
    const problems = parsed.error.issues.map(({ path, message }) =>
      path.length === 0 ? message : `${path.join('.')}: ${message}`,
    )
    const wrong = few(problems, '; ') + (unknown === '' ? '' : `; unknown: ${unknown}`)
    return { refusal: `bad arguments for ${name}: ${wrong}\nusage: ${usage(name)}` }
  }
  return {
    name,
    takesPlain,
    async refuse(args) {
      const read = await parse(args)
      return 'refusal' in read ? errorResult(read.refusal) : undefined
    },
    async consent(args, workspace) {
      const read = await parse(args)
      if ('refusal' in read) throw new PipeError('invalid', read.refusal)
      const display = await definition.consent?.(read.data, workspace)
      return display ?? { title: `Allow ${name}?`, content: args, contentKind: 'json' }
    },
    async *execute(args, workspace, context) {
      definition.prepare?.(workspace)
      const read = await parse(args)
      if ('refusal' in read) return errorResult(read.refusal)
      const run = definition.run(read.data, workspace, context)
      const result = Symbol.asyncIterator in run ? yield* run : await run
      if (read.unknown === '') return result
      const ignored = `ignored, because ${name} has no such argument: ${read.unknown}`
      return withNote(result, `${ignored}; usage: ${usage(name)}`)
    },
  }
}

/** Adds a note for the model in brackets below the result's text, if it has text. */
export function withNote(result: ToolResult, note: string): ToolResult {
  const [first, ...rest] = result.content
  if (first?.type !== 'text') return result
  return { ...result, content: [{ ...first, text: `${first.text}\n[${note}]` }, ...rest] }
}
