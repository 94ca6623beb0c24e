import type { PermissionMode } from './permission.ts'

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

/** A user (`user_name`) or an agent (`agent_name`). */
export interface Actor {
  readonly id: string
  readonly kind: ActorKind
  readonly displayName: string
  readonly capabilities: readonly Capability[]
  /** The agent that works on the tasks of a user who names none. */
  readonly defaultAgentId?: string
}

/** Actor id of the user at the front end. */
export const localUser = 'user_local'

/** Actor id of the program itself. */
export const ownAgent = 'agent_pipe'

/** Origins of agents, strongest first: the project, its files for another program, the user's folder, pipe itself. */
export type AgentSource = 'project' | 'peer' | 'user' | 'builtin'

/** An agent: the prompt, the model and the limits of a conversation for one kind of work. */
export interface AgentDefinition {
  /** Letters, digits, `-` and `_`, at most 64. */
  readonly name: string
  readonly description: string
  readonly source: AgentSource
  /** The file that defines it. Absent for a built-in agent. */
  readonly path?: string
  /** `provider/model[:level]`. */
  readonly model?: string
  /** The name of a route in the settings. Never set together with `model`. */
  readonly route?: string
  /** The only tools that the model is offered. Absent: all. */
  readonly tools?: readonly string[]
  /** The loosest permission mode it works in. It never loosens the mode in force. */
  readonly mode?: PermissionMode
  /** Says where it works when another agent starts it. */
  readonly isolation?: 'worktree' | 'none'
  /** Follows the system prompt. May be empty. */
  readonly prompt: string
}

/** Whether a text may be the name of an agent. It need not be defined. */
export function isAgentName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(text)
}
