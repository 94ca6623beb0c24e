import type { JsonObject } from './json-value.ts'
import type { ToolServer } from './machine/tool-server.ts'
import type { PermissionMode } from './permission.ts'
import type { ThinkingLevel } from './provider.ts'

/** All capabilities. */
export const capabilities = [
  'tool_read_file',
  'tool_edit_file',
  'tool_run_command',
  'tool_fetch_url',
  /** Run commands that only build LaTeX documents. `tool_run_command` includes it. */
  'run_latex_build',
  /** See images and documents. Their text is a matter of `tool_read_file`. */
  'read_assets',
  /** Put tasks on the board. */
  'create_task',
] as const

/** A permission of an actor. Each tool needs one; a built-in rule denies calls by actors without it. */
export type Capability = (typeof capabilities)[number]

export const actorKinds = ['human', 'agent'] as const

export type ActorKind = (typeof actorKinds)[number]

/** Id of an actor: `user_` and a name, or `agent_` and the name of an agent definition. The agent that runs has an `AgentId`. */
export type ActorId = string

/** A user (`user_name`) or an agent (`agent_name`). */
export interface Actor {
  readonly id: ActorId
  readonly kind: ActorKind
  readonly displayName: string
  readonly capabilities: readonly Capability[]
  /** The agent that works on the tasks of a user who names none. */
  readonly defaultAgentId?: ActorId
}

/** Actor id of the user at the front end. */
export const localUser = 'user_local'

/** Actor id of the program itself. */
export const ownAgent = 'agent_pipe'

/** Origins of agents, strongest first: the project, its files for another program, the user's folder, a plugin, pipe itself. */
export type AgentSource = 'project' | 'peer' | 'user' | 'plugin' | 'builtin'

/** An agent: the prompt, the model and the limits of a conversation for one kind of work. */
export interface AgentDefinition {
  /** Letters, digits, `-` and `_`, at most 64. That of a plugin has the plugin's name and a colon in front. */
  readonly name: string
  readonly description: string
  readonly source: AgentSource
  /** The file that defines it. Absent for a built-in agent. */
  readonly path?: string
  /** `provider/model[:level]`. */
  readonly model?: string
  /** The name of a route in the settings. Never set together with `model`. */
  readonly route?: string
  readonly thinking?: ThinkingLevel
  /** The only tools that the model is offered. Absent: all. */
  readonly tools?: readonly string[]
  /** Tools that it may use for some calls alone, by name, with the rules for these: `Bash(git diff:*)`. They are in `tools`. */
  readonly onlyCalls?: Readonly<Record<string, readonly string[]>>
  /** Tools that neither its model nor that of an elf it starts is offered. None of them is in `tools`. Absent: none. */
  readonly disallowedTools?: readonly string[]
  /** Rules for calls that neither it nor an elf of it may make: `Bash(rm:*)`. Absent: none. */
  readonly disallowedCalls?: readonly string[]
  /** The only agents that its elves may be. They have the tools of their own files. Absent: all, with its tools at most. */
  readonly startable?: readonly string[]
  /** The only MCP servers whose tools it is offered. Absent: all. */
  readonly servers?: readonly string[]
  /** MCP servers that its file sets up, which run for it alone. Absent: none. */
  readonly ownServers?: readonly ToolServer[]
  /** The loosest permission mode it works in. It never loosens the mode in force. */
  readonly mode?: PermissionMode
  /** Refuses each call that would need a question. */
  readonly neverAsks?: true
  /** The most rounds of a turn. */
  readonly maxRounds?: number
  /** Says where it works when another agent starts it. */
  readonly isolation?: 'worktree' | 'none'
  /** Works in the background when another agent starts it and does not say. */
  readonly background?: true
  /** Programs at events of its conversations, as settings spell them. */
  readonly hooks?: JsonObject
  /** Names of skills whose text follows the prompt. */
  readonly skills?: readonly string[]
  /** Keeps its notes among the user's files, in the project, or in the project for this user alone. Absent: it keeps none. */
  readonly memory?: 'user' | 'project' | 'local'
  /** Stands before the first message of a user. */
  readonly firstPrompt?: string
  /** Follows the system prompt. May be empty. */
  readonly prompt: string
}

/** Makes the name of an agent of a text: other characters than letters, digits and `_` become `-`. Empty if none is left. */
export function usableAgentName(text: string): string {
  return text
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 64)
    .replace(/-+$/, '')
}

/** Whether a text may be the name of an agent. It need not be defined. */
export function isAgentName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text)
}

/** Whether two names mean the same agent: other agents write blanks and capitals, and have another name for the usual one. */
export function isSameAgent(one: string, other: string): boolean {
  return spelling(one) === spelling(other)
}

function spelling(name: string): string {
  const plain = usableAgentName(name).toLowerCase()
  return plain === 'general-purpose' ? 'general' : plain
}
