import { capabilities } from '../../../src/actor.ts'
import type { ToolContext, ToolOutput, ToolResult, ToolRun } from '../../../src/tool.ts'

const actor = { id: 'agent_test', kind: 'agent', displayName: 'Test', capabilities } as const

export function toolContext(signal: AbortSignal = new AbortController().signal): ToolContext {
  return { callId: 'call_1', signal, actor }
}

/** Pulls a run to its end, and answers questions with `undefined`. */
export async function drainRun(run: ToolRun): Promise<{ outputs: ToolOutput[]; result: ToolResult }> {
  const outputs: ToolOutput[] = []
  for (;;) {
    const step = await run.next(undefined)
    if (step.done === true) return { outputs, result: step.value }
    outputs.push(step.value)
  }
}
