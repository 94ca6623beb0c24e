import type { JsonObject, JsonValue } from '../../json-value.ts'
import type { SandboxMode } from '../../machine/sandbox.ts'
import type { PermissionMode } from '../../permission.ts'
import { readEffort } from '../agents/effort-word.ts'

/** Agents whose settings can be taken over. */
export const peerAgents = ['claude', 'codex', 'gemini', 'opencode', 'pi'] as const

export type PeerAgent = (typeof peerAgents)[number]

/** Words the offers of another agent's file as ours, and names those without a counterpart. */
export interface ImportOffer {
  /** Absolute. */
  readonly path: string
  /** Entries of servers by name, in any agent's words. */
  readonly servers: Readonly<Record<string, JsonValue>>
  readonly rules: Readonly<Record<'deny' | 'ask' | 'allow', readonly string[]>>
  /** Groups of hooks by event. */
  readonly hooks: Readonly<Record<string, JsonValue>>
  /** `provider/model`. */
  readonly model?: string | undefined
  readonly mode?: PermissionMode | undefined
  readonly sandbox?: SandboxMode | undefined
  /** The command line of bash that writes the status line. */
  readonly statusLine?: string | undefined
  /** Names each part that is not taken, and why, a line each. */
  readonly left: readonly string[]
}

/** A file of another agent that was read. */
export interface PeerDocument {
  readonly path: string
  readonly fields: JsonObject
}

/** An offer of a file without anything in it, to build on. */
export function emptyOffer(path: string): ImportOffer {
  return { path, servers: {}, rules: { deny: [], ask: [], allow: [] }, hooks: {}, left: [] }
}

/** Names fields that have no counterpart. */
export function withoutCounterpart(fields: JsonObject, known: readonly string[]): readonly string[] {
  return Object.keys(fields)
    .filter((field) => !known.includes(field))
    .map((field) => `${spelledField(field)}: no counterpart here`)
}

/** Quotes a name that could forge a line. */
export function spelledField(field: string): string {
  return /^[\w.$-]{1,60}$/.test(field) ? field : JSON.stringify(field.slice(0, 40))
}

/** Adds the level of thinking that a field names to the model, which alone has one here. Says in `left` if that is not possible. */
export function withEffort(
  model: string | undefined,
  [field, word]: readonly [string, JsonValue | undefined],
  left: string[],
): string | undefined {
  if (word === undefined) return model
  const level = typeof word === 'string' ? readEffort(word) : undefined
  if (level === undefined) left.push(`${field}: there is no such level of thinking`)
  else if (model === undefined)
    left.push(`${field}: a level goes with a model, as in model: "provider/model:${level}"`)
  return model === undefined || level === undefined ? model : `${model}:${level}`
}
