import { existsSync } from 'node:fs'
import type { AgentDefinition } from '../../../actor.ts'
import type { AgentEvents } from '../../../agent/agent-events.ts'
import { type AgentFolder, agentFolders } from '../../../config/agents/definition-folders.ts'
import type { ElvesAtWork } from '../../../elf.ts'
import type { Elves } from '../../../elves/elf-executor.ts'
import { elfFacts, elfTool } from '../../../elves/elf-tool.ts'
import type { SessionId } from '../../../id.ts'
import { isJsonObject, type JsonValue } from '../../../json-value.ts'
import type { Message } from '../../../message.ts'
import type { OpenConversation } from '../../../open-conversation.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import type { ToolExecutor } from '../../../tool.ts'
import type { ApplyingOptions } from '../tasks/apply-task-work.ts'
import type { WireContext } from '../wire-context.ts'
import { changesFiles, findToolName } from './known-tools.ts'
import { LazyElves } from './lazy-elves.ts'

/** A conversation whose model may start elves. */
export interface ElfParent extends Omit<ApplyingOptions, 'newId' | 'now' | 'onAsk' | 'isTurn'> {
  readonly context: WireContext
  readonly open: OpenConversation
  readonly sessionId: SessionId | undefined
  /** The messages of an earlier run. */
  readonly earlier: readonly Message[]
  readonly events: AgentEvents
}

/** The tool `elf`, and the elves at work. */
export interface OpenedElves {
  readonly executor: ToolExecutor
  readonly roster: ElvesAtWork & { close(): Promise<void> }
}

/** Limits of an elf: product figures, like the tools' own. */
const limits = { maxRounds: 30, maxTimeMs: 10 * 60_000 }
const atOnce = 4

/** Creates the tool `elf`. Loads what runs elves at the first call: most runs start none. */
export async function openElves(parent: ElfParent): Promise<OpenedElves> {
  const folders = agentFolders(parent.context.directories.config, parent.context.loaded.trust)
  const tool = elfTool(await describeOwn(folders, parent.context))
  const elves = new LazyElves(() => load(parent, folders))
  return {
    executor: {
      tools: () => [tool],
      execute: (_name, args, context) =>
        elves.execute(parent.context.choices.taskId === undefined ? args : inForeground(args), context),
    },
    roster: elves,
  }
}

/** Nobody takes the news of a task's elves, so it waits for each. */
function inForeground(args: JsonValue): JsonValue {
  return isJsonObject(args) && args['background'] !== undefined ? { ...args, background: false } : args
}

async function load(parent: ElfParent, folders: readonly AgentFolder[]): Promise<Elves> {
  const { context, open, sessionId, earlier, events, ...applying } = parent
  const { machine, choices } = context
  let opened: ReturnType<typeof applying.worktrees> | undefined
  const worktrees = () => {
    opened ??= applying.worktrees()
    return opened
  }
  const own = { newId: machine.newId, now: () => machine.clock.now() }
  const { createElves } = await import('../../../elves/elf-executor.ts')
  const { createApplying } = await import('../tasks/apply-task-work.ts')
  return createElves({
    open,
    sessionId,
    told: (fact) => events.tell(fact),
    limits,
    atOnce,
    ...own,
    worktrees,
    named: highestName(earlier),
    findAgent: (name) => findAgent(name, folders, context),
    mayWrite: changesFiles,
    apply: createApplying({
      ...applying,
      ...own,
      worktrees,
      isTurn: () => events.isTurn,
      onAsk: choices.onAsk,
    }),
  })
}

/** Returns the highest number among the names of elves in these messages. */
function highestName(messages: readonly Message[]): number {
  const names = messages.map((message) =>
    message.type === 'tool_result' && isJsonObject(message.details) ? message.details['elf'] : undefined,
  )
  const numbers = names.map((name) => (typeof name === 'string' ? Number(/^e(\d{1,9})$/.exec(name)?.[1]) : 0))
  return numbers.reduce((most, number) => (number > most ? number : most), 0)
}

async function findAgent(
  name: string,
  folders: readonly AgentFolder[],
  { signal }: WireContext,
): Promise<AgentDefinition> {
  const { findAgents } = await import('../../../config/agents/find-agents.ts')
  const { requireAgent } = await import('../run-agent.ts')
  return requireAgent(name, await findAgents(folders, { signal, findTool: findToolName }))
}

/** Lists the agents that an elf can work as. Throws `aborted`. */
export async function listAgents(
  config: string,
  trust: Parameters<typeof agentFolders>[1],
  signal: AbortSignal,
): Promise<readonly AgentDefinition[]> {
  const { findAgents } = await import('../../../config/agents/find-agents.ts')
  const { agents } = await findAgents(agentFolders(config, trust), { signal, findTool: findToolName })
  return [...agents.values()]
}

/** Longest line about an agent in the tool's description. */
const longestLine = 160

/** Describes the agents of files, a line each. Most projects have none. */
async function describeOwn(
  folders: readonly AgentFolder[],
  { signal }: WireContext,
): Promise<readonly string[]> {
  if (!folders.some(({ path }) => existsSync(path))) return []
  const { findAgents } = await import('../../../config/agents/find-agents.ts')
  const { agents } = await findAgents(folders, { signal, findTool: findToolName })
  const own = [...agents.values()].filter(({ path }) => path !== undefined)
  return own.map(({ name, description }) => visibleLine(`${name}: ${description}`).slice(0, longestLine))
}

/** Whether an agent may use the tool. */
export function mayDelegate({ agent, loaded }: Pick<WireContext, 'agent' | 'loaded'>): boolean {
  return loaded.settings.elves !== false && (agent?.definition.tools?.includes(elfFacts.name) ?? true)
}
