import { localUser } from '../../../actor.ts'
import type { JsonObject } from '../../../json-value.ts'
import type { Rule } from '../../../permission/rules/rule.ts'
import type { Decision, JudgedCall, PermissionPolicy } from '../../../permission.ts'

/** Builds a call of this tool by an actor with every capability. */
export function judgedCall(tool: string, args: JsonObject): JudgedCall {
  return {
    tool: { name: tool, capability: 'tool_run_command', readOnly: () => false },
    arguments: args,
    actor: { id: localUser, kind: 'human', displayName: 'you', capabilities: ['tool_run_command'] },
  }
}

/** Returns the argument that calls of this kind are judged by. */
export function callField(kind: Exclude<Rule['tool'], 'other'>): 'command' | 'url' | 'path' {
  return kind === 'command' ? 'command' : kind === 'fetch' ? 'url' : 'path'
}

/** Encodes a decision for printing. */
export function encodeDecision({ behavior, rule, source, reason }: Decision) {
  return { decision: behavior, rule: rule ?? null, source, reason }
}

export type Judge = Pick<PermissionPolicy, 'judge'>
