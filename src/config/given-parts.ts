import type { AgentDefinition } from '../actor.ts'
import type { HookFile } from './hooks/hook-files.ts'

/** MCP servers that a flag names. */
export interface GivenServers {
  /** The flag, with its file if it names one. */
  readonly path: string
  readonly servers: Readonly<Record<string, unknown>>
}

/** Holds the parts that the command line brings besides settings. The user typed them, so they need no approval. */
export interface GivenParts {
  /** The strongest first. They hide others of their names. */
  readonly servers: readonly GivenServers[]
  /** No other server counts. */
  readonly onlyServers: boolean
  readonly hooks: readonly HookFile[]
  /** No hook runs at all. */
  readonly noHooks: boolean
  /** The strongest first. They hide others of their names. */
  readonly agents: readonly AgentDefinition[]
  /** Refuses each call that would need a question. */
  readonly neverAsks: boolean
  /** Nothing counts that is found in folders: hooks, skills, commands, agents, plugins, servers, memories, instructions. */
  readonly isBare: boolean
}
