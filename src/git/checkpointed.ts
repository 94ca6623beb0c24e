import type { Checkpoints } from '../checkpoint.ts'
import { isJsonObject } from '../json-value.ts'
import type { ToolExecutor, ToolResult } from '../tool.ts'

/**
 * Saves the files before each call that may change some, and notes which one it wrote. Stands inside the guard: what is refused
 * changes nothing, and the guard knows which commands only look.
 */
export function checkpointed(executor: ToolExecutor, checkpoints: Checkpoints): ToolExecutor {
  return {
    tools: () => executor.tools(),
    async *execute(name, args, context) {
      const tool = executor.tools().find((one) => one.name === name)
      if (tool?.readOnly(args) === false && context.changesNothing !== true) {
        const saved = await checkpoints.save({ signal: context.signal })
        if (saved !== undefined) yield { type: 'checkpoint', ...saved }
      }
      const result = yield* executor.execute(name, args, context)
      const written = writtenBy(result)
      if (written !== undefined) checkpoints.wrote(written)
      return result
    },
  }
}

/** The file that a call has changed, by its facts: the path and the revision that it has now. */
function writtenBy({ details }: ToolResult): string | undefined {
  if (!isJsonObject(details)) return undefined
  const { path, after } = details
  return typeof path === 'string' && typeof after === 'string' ? path : undefined
}
