/** A permission of an actor. Each tool needs one; a built-in rule denies calls by actors without it. */
export type Capability = 'tool_read_file' | 'tool_edit_file' | 'tool_run_command' | 'tool_fetch_url'

/** A user (`user_name`) or an agent (`agent_name`). */
export interface Actor {
  readonly id: string
  readonly kind: 'human' | 'agent'
  readonly displayName: string
  readonly capabilities: readonly Capability[]
}

/** Actor id of the user at the front end. */
export const localUser = 'user_local'

/** Actor id of the program itself. */
export const ownAgent = 'agent_pipe'
