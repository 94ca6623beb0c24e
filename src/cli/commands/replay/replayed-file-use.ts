import { interruptedText } from '../../../agent/turn/repair.ts'
import type { ToolResultMessage } from '../../../message.ts'
import { textContent } from '../../../message.ts'
import type { PermissionPolicy } from '../../../permission.ts'
import type { CallFileUse, RecordedCall } from '../../../replay/call-record.ts'
import { isDenied } from '../../../replay/recorded-denial.ts'
import type { Tool } from '../../../tool.ts'
import { self } from '../../wiring/run-actors.ts'

/** The tools whose calls depend on files. Results of others, such as pages of the web, hold whatever the files are. */
export const fileUses: ReadonlyMap<string, CallFileUse> = new Map([
  ['read', 'reads'],
  ['grep', 'reads'],
  ['glob', 'reads'],
  ['write', 'changes'],
  ['edit', 'changes'],
  ['bash', 'changes'],
])

/** Returns how a recorded call used files. */
export async function fileUseOf(
  { call, result }: RecordedCall,
  { tools, policy }: { readonly tools: readonly Tool[]; readonly policy: PermissionPolicy },
): Promise<CallFileUse> {
  const tool = tools.find(({ name }) => name.toLowerCase() === call.name.toLowerCase())
  const use = tool && fileUses.get(tool.name)
  if (tool === undefined || use === undefined || isDenied(result)) return 'none'
  if (use === 'reads' || !tool.capability.endsWith('run_command')) return result.isError ? 'reads' : use
  const { changesNothing } = await policy.judge({ tool, arguments: call.arguments, actor: self })
  return changesNothing === true ? 'reads' : use
}

/** Whether a call was cut short, so that its result tells nothing. */
export function wasInterrupted(result: ToolResultMessage): boolean {
  return textContent(result) === interruptedText
}
