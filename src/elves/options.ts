import type { AgentDefinition } from '../agent-definition.ts'
import type { ElfEnd } from '../elf.ts'
import type { Limits } from '../engine.ts'
import type { AgentEvent } from '../event.ts'
import type { NewId, SessionId } from '../id.ts'
import type { OpenConversation } from '../open-conversation.ts'
import type { ToolContext, ToolRun } from '../tool.ts'
import type { Worktree, WorktreeDiff, Worktrees } from '../worktree.ts'

export interface ElvesOptions {
  readonly open: OpenConversation
  readonly newId: Pick<NewId, 'session'>
  /** The parent's session. Absent if nothing is saved. */
  readonly sessionId: SessionId | undefined
  /** Returns the agent of this name. Throws `usage` with all names, and `untrusted`. */
  readonly findAgent: (name: string) => Promise<AgentDefinition>
  /** Agents that are not built in, a line each for the model. */
  readonly moreAgents: readonly string[]
  /** Opens the folders for elves that change files. Absent: no elf gets one. */
  readonly worktrees: (() => Promise<Worktrees>) | undefined
  /** Merges the work of an elf into the user's files if the user, or a rule, allows it. */
  readonly apply: (work: ElfWork, context: ToolContext) => ToolRun
  /** Elves that run at once. */
  readonly atOnce: number
  /** Of each elf. */
  readonly limits: Limits
  /** Makes the end of an elf in the background, which no call reports, an event of the parent. */
  readonly told: (end: ElfEnd) => AgentEvent
}

/** The changes that an elf made in its folder. */
export interface ElfWork {
  /** The name of the elf, such as `e1`. */
  readonly name: string
  readonly worktree: Worktree
  readonly diff: WorktreeDiff
}
