import type { Budget } from '../../agent/limits/budget.ts'
import type { Pace } from '../../agent/request/pace.ts'
import type { AuditLog } from '../../audit.ts'
import type { Directories } from '../../config/directories.ts'
import type { HookFile } from '../../config/hooks/hook-files.ts'
import type { LayeredSettings } from '../../config/layers.ts'
import type { Checkpoints } from '../../history/checkpoint.ts'
import type { ArtifactStore } from '../../machine/artifact.ts'
import type { ServerPool } from '../../mcp/server-pool.ts'
import type { OpenConversation } from '../../open-conversation.ts'
import type { ModePolicy } from '../../permission/policy.ts'
import type { SessionLog, SessionStore } from '../../session.ts'
import type { ToolExecutor } from '../../tool.ts'
import type { Machine } from '../machine.ts'
import type { TaskAuditOptions } from './audit/task-audit.ts'
import type { Closing } from './closing.ts'
import type { CommandVariables } from './hooks/command-variables.ts'
import type { CurrentModel } from './model/current-model.ts'
import type { RunLanguages } from './programs/run-languages.ts'
import type { AskedRun, RunAgent } from './run-agent.ts'
import type { Choices } from './run-choices.ts'

/** Parts that a caller provides instead of the program's own, or in addition to them. */
export interface ForeignParts {
  /** Default: the sessions on disk. */
  readonly store?: SessionStore | undefined
  /** Opens the audit log of a session. Default: a file beside those of other sessions. */
  readonly openAudit?: (session: SessionLog, options: Omit<TaskAuditOptions, 'attempt'>) => AuditLog
  /** The files that the built-in tools read and write. Default: those of this machine. */
  readonly artifacts?: ArtifactStore | undefined
  /** Tools besides the built-in ones. */
  readonly tools?: ToolExecutor | undefined
  /** Returns the rules that are lent to the conversation that this one works for. Default: none. */
  readonly lentToParent?: ModePolicy['lentRules']
  /** The servers of tools that the conversation shares with the one that opened it. Default: those of the settings. */
  readonly servers?: ServerPool | undefined
  /** The language servers that the conversation shares with the one that opened it. Default: its own. */
  readonly languages?: RunLanguages | undefined
  /** The variables of commands, shared with the conversation that opened it. Default: its own. */
  readonly variables?: CommandVariables | undefined
  /** Holds requests back together with those of other conversations. Default: each waits for itself. */
  readonly pace?: Pace
  /** Saves files before calls change them. Its owner begins and ends the turns. Default: the conversation's own. */
  readonly checkpoints?: Checkpoints
  /** Replaces the files that tools read and write, or adds to those of the disk. Default: the disk's. */
  readonly files?: (disk: ArtifactStore) => ArtifactStore
  /** Whether the model may see a file that the rules allow. Default: yes. */
  readonly mayRead?: (path: string) => boolean
}

/** A conversation that opens others for its model. */
export interface ParentConversation {
  readonly machine: Machine
  readonly choices: Choices
  readonly parts: ForeignParts
  /** With the mode in force, and what is lent to the turn. */
  readonly policy: Pick<ModePolicy, 'mode' | 'lentRules'>
  readonly model: Pick<CurrentModel, 'inForce'>
  /** Returns the files whose hooks run for the turn alone. */
  readonly lentHooks: () => readonly HookFile[]
  readonly budget: Budget
  readonly checkpoints: Checkpoints
}

export type OpenChildren = (parent: ParentConversation) => OpenConversation

/** Common inputs for opening the parts of a conversation. */
export interface WireContext {
  readonly machine: Machine
  readonly choices: Choices
  readonly parts: ForeignParts
  /** The agent to work as. Its choices are in `choices` and `loaded` already. */
  readonly agent?: RunAgent | undefined
  /** The run without its agent. */
  readonly asked: Pick<AskedRun, 'choices' | 'loaded'>
  readonly signal: AbortSignal
  readonly directories: Directories
  readonly loaded: LayeredSettings
  /** Collects the close steps of everything opened. */
  readonly closing: Closing
  /** The machine with the folder to work in, which may be a worktree. Settings, trust and session are those of `machine`. */
  readonly at: Machine
  /** Opens conversations for elves. Absent: the model starts none. */
  readonly children?: OpenChildren | undefined
  /** Opens conversations that judge for hooks. Absent: hooks that need one fail. */
  readonly judges?: OpenChildren | undefined
}
