import type { Actor } from './actor.ts'
import type { JsonValue } from './json-value.ts'
import type { Tool } from './tool.ts'

export type PermissionMode = 'default' | 'accept-edits' | 'plan' | 'auto' | 'bypass'

/** The judge's word on one call, with the rule it rests on, where that rule comes from, and why. */
export interface Decision {
  readonly behavior: 'allow' | 'ask' | 'deny'
  readonly rule?: string
  readonly source: 'builtin' | 'mode' | 'capability' | 'user' | 'project' | 'session'
  readonly reason: string
}

export interface JudgedCall {
  readonly tool: Tool
  readonly arguments: JsonValue
  readonly actor: Actor
}

/** Pure: the same call gets the same decision until the rules change. deny > ask > allow, from every source. */
export interface PermissionPolicy {
  judge(call: JudgedCall): Decision
  /** Allows calls of this tool until the process ends, by a person's word. */
  allowForSession(tool: Tool): void
}
