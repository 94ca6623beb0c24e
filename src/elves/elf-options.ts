import type { AgentDefinition } from '../actor.ts'
import type { ElfFact } from '../elf.ts'
import type { Limits } from '../engine.ts'
import type { AgentEvent } from '../event.ts'
import type { NewId, SessionId } from '../id.ts'
import type { Worktree, WorktreeDiff, Worktrees } from '../machine/worktree.ts'
import type { OpenConversation } from '../open-conversation.ts'
import type { ToolContext, ToolRun } from '../tool.ts'

export interface ElvesOptions {
  readonly open: OpenConversation
  readonly newId: Pick<NewId, 'session' | 'message'>
  /** The parent's session. Absent if nothing is saved. */
  readonly sessionId: SessionId | undefined
  /** Returns the agent of this name. Throws `usage` with all names, and `untrusted`. */
  readonly findAgent: (name: string) => Promise<AgentDefinition>
  /** Whether the tool of this name may change files. */
  readonly mayWrite: (tool: string) => boolean
  /** Opens the folders for elves that change files. */
  readonly worktrees: () => Promise<Worktrees>
  /** Merges the work of an elf into the user's files if the user, or a rule, allows it. */
  readonly apply: (work: ElfWork, context: ToolContext) => ToolRun
  /** Elves that run at once. */
  readonly atOnce: number
  /** Of each elf. */
  readonly limits: Limits
  /**
   * Records a fact about an elf in the background, which no call reports, and makes it an event of the parent; `undefined` if a running
   * turn yields it.
   */
  readonly told: (fact: ElfFact) => AgentEvent | undefined
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** The highest number among the names of the conversation's earlier elves. */
  readonly named: number
}

/** The changes that an elf made in its folder. */
export interface ElfWork {
  /** The name of the elf, such as `e1`. */
  readonly name: string
  readonly worktree: Worktree
  readonly diff: WorktreeDiff
}
