/** What an actor may do. A tool names the one it needs; an actor without it is refused by a rule of its own. */
export type Capability = 'tool_read_file' | 'tool_edit_file' | 'tool_run_command' | 'tool_fetch_url'

/** Who acts: a person (`user_name`) or an agent (`agent_name`). */
export interface Actor {
  readonly id: string
  readonly kind: 'human' | 'agent'
  readonly displayName: string
  readonly capabilities: readonly Capability[]
}

/** The person at the front end, by their id as an actor. */
export const localUser = 'user_local'

/** The program itself, by its id as an actor. */
export const ownAgent = 'agent_pipe'
