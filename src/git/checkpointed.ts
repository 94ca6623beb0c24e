import type { Checkpoints } from '../checkpoint.ts'
import type { ToolExecutor } from '../tool.ts'

/** Saves the files before each call that may change some. Stands inside the guard: what is refused changes nothing. */
export function checkpointed(executor: ToolExecutor, checkpoints: Checkpoints): ToolExecutor {
  return {
    tools: () => executor.tools(),
    async *execute(name, args, context) {
      const tool = executor.tools().find((one) => one.name === name)
      if (tool?.readOnly(args) === false) {
        const saved = await checkpoints.save({ signal: context.signal })
        if (saved !== undefined) yield { type: 'checkpoint', ...saved }
      }
      return yield* executor.execute(name, args, context)
    },
  }
}
