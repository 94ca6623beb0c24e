import { localUser } from '../../../actor.ts'
import type { JsonObject } from '../../../json-value.ts'
import type { Decision, JudgedCall, PermissionPolicy } from '../../../permission.ts'
import type { ToolFacts } from '../../../tool.ts'
import { knownTool } from '../../wiring/tools/known-tools.ts'

/**
 * Builds a call of this tool by an actor with every capability. A tool that is not known is one that changes something and states
 * nothing.
 */
export function judgedCall(name: string, args: JsonObject): JudgedCall {
  const facts = knownTool(name) ?? { readOnly: () => false }
  return {
    tool: { ...facts, name, capability: 'tool_run_command' },
    arguments: args,
    actor: { id: localUser, kind: 'human', displayName: 'you', capabilities: ['tool_run_command'] },
  }
}

/** Returns the flag that stands for what calls of a tool are judged by; `undefined` if they are judged by the tool alone. */
export function callFlag(tool: ToolFacts | undefined): 'command' | 'url' | 'path' | undefined {
  if (tool?.command !== undefined) return 'command'
  if (tool?.url !== undefined) return 'url'
  return tool?.paths === undefined ? undefined : 'path'
}

/** Whether a call holds what it is judged by. */
export function isJudgeable(tool: ToolFacts | undefined, args: JsonObject): boolean {
  switch (callFlag(tool)) {
    case 'command':
      return tool?.command?.(args) !== undefined
    case 'url':
      return tool?.url?.(args) !== undefined
    case 'path':
      return tool?.paths?.(args).length !== 0
    case undefined:
      return true
  }
}

/** Encodes a decision for printing. */
export function encodeDecision({ behavior, rule, source, reason }: Decision) {
  return { decision: behavior, rule: rule ?? null, source, reason }
}

export type Judge = Pick<PermissionPolicy, 'judge'>
