import { existsSync } from 'node:fs'
import type { AgentDefinition } from '../../agent-definition.ts'
import { type AgentFolder, agentFolders } from '../../config/agents/find.ts'
import type { ElfEnd } from '../../elf.ts'
import { createElves, type Elves } from '../../elves/executor.ts'
import type { AgentEvent } from '../../event.ts'
import type { SessionId } from '../../id.ts'
import type { OpenConversation } from '../../open-conversation.ts'
import { visibleLine } from '../../terminal/visible.ts'
import type { Worktrees } from '../../worktree.ts'
import { type ApplyingOptions, createApplying } from './apply-work.ts'
import type { Opening } from './opening.ts'

/** A conversation whose model may start elves. */
export interface ElfParent extends Omit<ApplyingOptions, 'worktrees' | 'newId' | 'onAsk'> {
  readonly opening: Opening
  readonly open: OpenConversation
  readonly sessionId: SessionId | undefined
  readonly told: (end: ElfEnd) => AgentEvent
  readonly openWorktrees: () => Promise<Worktrees>
}

/** Limits of an elf: product figures, like the tools' own. */
const limits = { maxRounds: 30, maxTimeMs: 10 * 60_000 }
const atOnce = 4

/** Creates the tool `elf`. Loads what elves need at the first call. */
export async function openElves(parent: ElfParent): Promise<Elves> {
  const { opening, open, sessionId, told, openWorktrees, ...applying } = parent
  const { machine, choices, directories, loaded } = opening
  const folders = agentFolders(directories.config, loaded.trust)
  let opened: Promise<Worktrees> | undefined
  const worktrees = () => {
    opened ??= openWorktrees()
    return opened
  }
  return createElves({
    ...{ open, sessionId, told, worktrees, limits, atOnce },
    newId: machine.newId,
    findAgent: (name) => findAgent(name, folders, opening),
    moreAgents: await describeOwn(folders, opening),
    apply: createApplying({ ...applying, worktrees, newId: machine.newId, onAsk: choices.onAsk }),
  })
}

async function findAgent(
  name: string,
  folders: readonly AgentFolder[],
  { signal }: Opening,
): Promise<AgentDefinition> {
  const { findAgents } = await import('../../config/agents/find.ts')
  const { requireAgent } = await import('./run-agent.ts')
  return requireAgent(name, await findAgents(folders, signal))
}

/** Longest line about an agent in the tool's description. */
const longestLine = 160

/** Describes the agents of files, a line each. Most projects have none. */
async function describeOwn(folders: readonly AgentFolder[], { signal }: Opening): Promise<readonly string[]> {
  if (!folders.some(({ path }) => existsSync(path))) return []
  const { findAgents } = await import('../../config/agents/find.ts')
  const { agents } = await findAgents(folders, signal)
  const own = [...agents.values()].filter(({ path }) => path !== undefined)
  return own.map(({ name, description }) => visibleLine(`${name}: ${description}`).slice(0, longestLine))
}

/** Whether an agent may use the tool. */
export function mayDelegate({ agent, loaded }: Pick<Opening, 'agent' | 'loaded'>): boolean {
  return loaded.settings.elves !== false && (agent?.tools?.includes('elf') ?? true)
}
