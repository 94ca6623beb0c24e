import type { AgentDefinition, Capability } from '../../actor.ts'
import type { Budget } from '../../agent/limits/budget.ts'
import type { HookFile } from '../../config/hooks/hook-files.ts'
import type { Layer } from '../../config/layers.ts'
import type { Limits, ModelChoice } from '../../engine.ts'
import type { Hook } from '../../hooks/hook.ts'
import type { CallBack } from '../../hooks/run-hook.ts'
import type { TaskId } from '../../id.ts'
import type { ServerProgram } from '../../machine/server-program.ts'
import type { ServerInProgram } from '../../machine/tool-server.ts'
import type { Message } from '../../message.ts'
import type { ThinkingLevel } from '../../provider.ts'
import type { ParentCall, SessionChoice } from '../../session.ts'
import type { AnswerDemand } from '../../turn-hooks.ts'

/** Settings of one run, which override all others. */
export interface RunSettings {
  /** From the weakest to the strongest. */
  readonly layers: readonly Layer[]
  /** Trusts the folder for this run. */
  readonly trusts: boolean
  /** The parts that flags bring besides settings. Default: none. */
  readonly given?: GivenFlags | undefined
}

/** Text that a flag holds, or the file that it names. */
export interface GivenText {
  /** The flag, with its file if it names one. */
  readonly origin: string
  readonly text: string
}

/** A folder that counts as a plugin. */
export interface GivenPlugin {
  /** The flag with the folder. */
  readonly origin: string
  readonly path: string
  /** Whether its MCP servers count. */
  readonly hasServers: boolean
}

/** Holds the parts that flags name, and which others they leave out. */
export interface GivenFlags {
  /** From the weakest to the strongest, as settings and agents are. */
  readonly servers: readonly GivenText[]
  readonly settings: readonly GivenText[]
  readonly agents: readonly GivenText[]
  /** Folders of plugins for this run. */
  readonly plugins: readonly GivenPlugin[]
  /** No other server counts. */
  readonly onlyServers: boolean
  /** Nothing counts that pipe finds by itself. */
  readonly isBare: boolean
}

/** The limits of an agent, which its elves have too. */
export type AgentLimits = Pick<
  AgentDefinition,
  'name' | 'tools' | 'onlyCalls' | 'disallowedTools' | 'disallowedCalls' | 'startable' | 'servers'
>

/** Everything that a caller decides about a conversation: a command line, or a program that opens one. */
export interface Choices extends RunSettings {
  readonly session: SessionChoice
  /** The messages that a new session begins with. Default: none. */
  readonly history?: readonly Message[] | undefined
  /** The call that this conversation works for, kept in a new session. Default: none. */
  readonly parent?: ParentCall | undefined
  /** The real path of a worktree to work in, which stands for the working folder. Default: the working folder itself. */
  readonly worktree?: string | undefined
  /** The task that the conversation carries out. */
  readonly taskId?: TaskId | undefined
  /** Id of the actor whose calls they are. Default: the program itself. */
  readonly actor?: string
  /** The most that this actor may do. Default: what the settings let it do. */
  readonly capabilities?: readonly Capability[] | undefined
  /** A budget to spend from, besides `limits`. Default: none. */
  readonly budget?: Budget
  /** Whether the conversation is saved. If not, nothing can be undone either. */
  readonly isSaved: boolean
  /** Milliseconds to wait for a session that another process writes. Default: none. */
  readonly lockWaitMs?: number | undefined
  /** `provider/model[:level]`, a route, part of an id, or an open model. Default: as `chooseModel` says. */
  readonly model?: string | ModelChoice | undefined
  /** Used if neither a flag, an agent nor a resumed session names a model. Default: the settings'. */
  readonly usualModel?: string | ModelChoice | undefined
  /** Whether a model of a local server may be used if none is named or set. Default: true. */
  readonly mayGuessModel?: boolean
  /** Whether models may be named by another agent's words for their sizes. Default: false. */
  readonly takesPeerWords?: boolean
  /** The name of the agent to work as. Default: none. */
  readonly agent?: string | undefined
  /** Bounds its agent and those that started it. Default: none. */
  readonly limitsOfAgents?: readonly AgentLimits[] | undefined
  /** Programs at events that its agent, and those that started it, bring along. All are approved. Default: none. */
  readonly agentHooks?: readonly HookFile[] | undefined
  /** Whether hooks run. Default: yes. */
  readonly runsHooks?: boolean | undefined
  /** Hooks of the program that drives the run, and the way to call them. Default: none. */
  readonly callbacks?: { readonly hooks: readonly Hook[]; readonly call: CallBack } | undefined
  /** The program that drives the run, and the servers of tools inside it. Its servers may change while it runs. Default: none. */
  readonly inProgram?:
    | { readonly servers: readonly ServerInProgram[]; readonly program: ServerProgram }
    | undefined
  /** The title of the session. Default: the user's first words, or what a model makes of the first turn. */
  readonly title?: string | undefined
  /** The tool of an MCP server that answers when a permission is needed. Default: the user does. */
  readonly permissionTool?: string | undefined
  /** Overrides the level in the model's name. */
  readonly thinking?: ThinkingLevel | undefined
  /** Overrides the level of its agent too. Default: none. */
  readonly thinkingOfCall?: ThinkingLevel | undefined
  /** Replaces the system prompt of the settings and of the session. */
  readonly systemPrompt?: string | undefined
  /** Follows the system prompt. */
  readonly moreSystemPrompt?: string | undefined
  readonly limits: Limits
  readonly maxReplyTokens?: number | undefined
  readonly temperature?: number | undefined
  /** A command that must succeed before a turn ends, and how often its failure goes back to the model. Default: none. */
  readonly check?: { readonly command: string; readonly tries: number } | undefined
  /** Judge each turn's answer, in this order. Default: any answer will do. */
  readonly demands?: readonly AnswerDemand[] | undefined
  /** The message holds data that the user called so: only the command line may allow more than to read. Default: no. */
  readonly isForData?: boolean
  /** Fills the named places of the file that the message calls. Default: nothing. */
  readonly params?: ReadonlyMap<string, string> | undefined
  /** How to handle a call that needs the user's approval. */
  readonly onAsk: 'ask' | 'deny' | 'stop'
  /** A user watches and may change the mode, so long commands go to the background. */
  readonly interactive: boolean
  /** The user asked to be told more of what happens. Default: no. */
  readonly verbose?: boolean | undefined
  /** A new session may get its title from the model of the route `fast`, which costs a request. */
  readonly mayAskForTitle: boolean
  /** The file that the model's replies are recorded to. */
  readonly record?: string | undefined
}
