import { interruptedText } from '../../../agent/turn/repair.ts'
import type { ToolResultMessage } from '../../../message.ts'
import { textContent } from '../../../message.ts'
import type { PermissionPolicy } from '../../../permission.ts'
import type { CallFileUse, RecordedCall } from '../../../replay/call-record.ts'
import { isDenied } from '../../../replay/recorded-denial.ts'
import type { Tool, ToolFacts } from '../../../tool.ts'
import { self } from '../../wiring/run-actors.ts'

/**
 * Returns how calls of a tool use files; `undefined` for one whose results hold whatever the files are, such as pages of the web or
 * output of a command that was started before.
 */
export function fileUseOfTool(tool: ToolFacts | undefined): CallFileUse | undefined {
  if (tool?.command !== undefined || tool?.kind === 'edit') return 'changes'
  return tool?.paths === undefined ? undefined : 'reads'
}

/** Returns how a recorded call used files. */
export async function fileUseOf(
  { call, result }: RecordedCall,
  { tools, policy }: { readonly tools: readonly Tool[]; readonly policy: PermissionPolicy },
): Promise<CallFileUse> {
  const tool = tools.find(({ name }) => name.toLowerCase() === call.name.toLowerCase())
  const use = fileUseOfTool(tool)
  if (tool === undefined || use === undefined || isDenied(result)) return 'none'
  if (use === 'reads' || tool.command === undefined) return result.isError ? 'reads' : use
  const { changesNothing } = await policy.judge({ tool, arguments: call.arguments, actor: self })
  return changesNothing === true ? 'reads' : use
}

/** Whether a call was cut short, so that its result tells nothing. */
export function wasInterrupted(result: ToolResultMessage): boolean {
  return textContent(result) === interruptedText
}
