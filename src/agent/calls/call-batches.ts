import { type AssistantMessage, type ToolCallBlock, toolCalls } from '../../message.ts'
import type { ToolExecutor, ToolResult } from '../../tool.ts'
import type { CallStep } from '../agent.ts'
import { linkAbort } from '../linked-abort.ts'
import { merge } from '../merge-generators.ts'
import { type CallContext, findTool, runCall } from './run-call.ts'

/** Groups calls into batches that may run at once: adjacent parallel calls together, each other call alone. */
export function batches(calls: readonly ToolCallBlock[], executor: ToolExecutor): ToolCallBlock[][] {
  const tools = executor.tools()
  const result: ToolCallBlock[][] = []
  let isOpen = false
  for (const call of calls) {
    const tool = findTool(tools, call.name)
    const isParallel = (tool?.parallel?.(call.arguments) ?? tool?.readOnly(call.arguments)) === true
    const last = result.at(-1)
    if (isParallel && isOpen && last !== undefined) last.push(call)
    else result.push([call])
    isOpen = isParallel
  }
  return result
}

/** Whether all calls of a reply watch something that changes on its own. */
export function looksOn(reply: AssistantMessage, executor: ToolExecutor): boolean {
  const tools = executor.tools()
  return toolCalls(reply).every((call) => findTool(tools, call.name)?.looksOn?.(call.arguments) ?? false)
}

/** Saves the result of a call when it has ended. */
export type Settle = (call: ToolCallBlock, result: ToolResult) => Promise<void>

/** Runs the calls of one batch at once and settles each when it ends. Throws what a tool throws, after ending the others. */
export async function* runBatch(
  calls: readonly ToolCallBlock[],
  context: CallContext,
  settle: Settle,
): AsyncGenerator<CallStep, void, undefined> {
  const [first, ...others] = calls
  if (first !== undefined && others.length === 0) return yield* runAndSettle(first, context, settle)
  const { controller, unlink } = linkAbort(context.signal)
  const inner = { ...context, signal: controller.signal }
  try {
    yield* merge(
      calls.map((call) => runAndSettle(call, inner, settle)),
      () => controller.abort(),
    )
  } finally {
    unlink()
  }
}

async function* runAndSettle(
  call: ToolCallBlock,
  context: CallContext,
  settle: Settle,
): AsyncGenerator<CallStep, void, undefined> {
  await settle(call, yield* runCall(call, context))
}
