import type { Capability } from './actor.ts'
import type { Engine, Limits } from './engine.ts'
import type { SessionId, TaskId } from './id.ts'
import type { UserMessage } from './message.ts'
import type { PermissionMode } from './permission.ts'
import type { ThinkingLevel } from './provider.ts'
import type { ParentCall } from './session.ts'

/** A conversation to open for an agent of its own. */
export interface ConversationRequest {
  /** The name of an agent definition. Default: the usual prompt and all tools. */
  readonly agent?: string | undefined
  /** `provider/model[:level]`, or the name of a route. Default: the agent's, else that of whoever asks. */
  readonly model?: string | undefined
  /** Overrides the level of its agent and of the model's name. */
  readonly thinking?: ThinkingLevel | undefined
  /** The task that it carries out. */
  readonly taskId?: TaskId | undefined
  /** Id of the actor whose calls they are, such as `agent_elf_1`. */
  readonly actor: string
  /** The most that this actor may do. Default: what the settings let it do. */
  readonly capabilities?: readonly Capability[] | undefined
  /** Its own limits, besides those of the budget it spends from. */
  readonly limits: Limits
  /** Real path of the folder to work in. Default: the folder of whoever asks. */
  readonly cwd?: string | undefined
  /** The loosest mode to work in. Default: the mode in force. */
  readonly mode?: PermissionMode | undefined
  /** Judges an event for a hook: it only reads and asks nobody, no hook runs in it, and it is not saved. */
  readonly forHook?: true | undefined
  /** The session to go on with. Default: a new one. */
  readonly session?: SessionId | undefined
  /** The call that it belongs to, kept in its session. */
  readonly parent?: ParentCall | undefined
}

/** An open conversation. Whoever opened it pulls its engine and closes it. */
export interface ChildConversation {
  readonly engine: Engine
  /** Absent if nothing is saved. */
  readonly sessionId: SessionId | undefined
  /** `provider/model`. */
  readonly model: string
  readonly warnings: readonly string[]
  /** Composes a message as the program does: the first one tells about the folder and its instruction files. */
  compose(text: string): UserMessage
  /** Ends its running turn first if there is one. Returns the last hash of its audit log, if it has one. */
  close(): Promise<string | undefined>
}

/**
 * Opens conversations for tools and workers, which do not know the loop. Throws `usage`, `config`, `auth`, `input`, `conflict`, `sandbox`
 * and `untrusted`.
 */
export type OpenConversation = (
  request: ConversationRequest,
  options: { readonly signal: AbortSignal },
) => Promise<ChildConversation>
