import * as z from 'zod'
import { capabilities } from '../../../actor.ts'
import { PipeError } from '../../../error.ts'
import type { Tool, ToolResult } from '../../../tool.ts'

const toolShape = z.looseObject({
  // The strictest server takes no other names.
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'its name must be letters, digits, _ and -, at most 64'),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  capability: z.enum(capabilities),
  readOnly: z.custom<unknown>((value) => value === undefined || typeof value === 'function', {
    message: 'expected a function of the arguments',
  }),
})

const file = { mimeType: z.string(), data: z.string() }
const resultShape = z.looseObject({
  content: z
    .array(
      z.discriminatedUnion('type', [
        z.looseObject({ type: z.literal('text'), text: z.string() }),
        z.looseObject({ type: z.literal('image'), ...file }),
        z.looseObject({ type: z.literal('document'), ...file }),
      ]),
    )
    .min(1, 'expected at least one block'),
  isError: z.boolean(),
})

/** Throws `usage` for tools that are no list, and for one that no model can be given. */
export function requireTools(tools: readonly Tool[]): void {
  if (!Array.isArray(tools)) throw new PipeError('usage', 'the list of your tools: expected an array')
  for (const tool of tools) {
    const fault = faultOf(toolShape.safeParse(tool))
    if (fault !== undefined) throw new PipeError('usage', `the tool ${String(tool?.name)}: ${fault}`)
  }
}

/** Throws an `Error` for what a model cannot take as a result. */
export function requireResult(result: ToolResult): ToolResult {
  const fault = faultOf(resultShape.safeParse(result))
  if (fault !== undefined) throw new Error(`it returned no result, see textResult and errorResult: ${fault}`)
  return result
}

function faultOf({ error }: { readonly error?: z.ZodError | undefined }): string | undefined {
  const [issue] = error?.issues ?? []
  if (issue === undefined) return undefined
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`
}
