import type { JsonObject, JsonValue } from '../../json-value.ts'

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
    .map(
      (field) =>
        `${/^[\w.$-]{1,60}$/.test(field) ? field : JSON.stringify(field.slice(0, 40))}: no counterpart here`,
    )
}
