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
