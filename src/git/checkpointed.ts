import type { Checkpoints } from '../checkpoint.ts'
import { isJsonObject } from '../json-value.ts'
import type { ToolExecutor, ToolResult } from '../tool.ts'

/**
 * Saves the files before each call that may change some, and notes which file the call wrote. Wraps the executor inside the guard:
 * a refused call changes nothing, and the guard knows which commands only read.
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

/** The path of the file that a call changed: its details hold both a path and the revision after the change. */
function writtenBy({ details }: ToolResult): string | undefined {
  if (!isJsonObject(details)) return undefined
  const { path, after } = details
  return typeof path === 'string' && typeof after === 'string' ? path : undefined
}
