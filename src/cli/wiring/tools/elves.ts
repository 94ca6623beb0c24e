import { existsSync } from 'node:fs'
import { type AgentDefinition, isSameAgent } from '../../../actor.ts'
import type { AgentEvents } from '../../../agent/agent-events.ts'
import { agentFolders } from '../../../config/agents/definition-folders.ts'
import type { FoundAgents } from '../../../config/agents/find-agents.ts'
import type { ElvesAtWork } from '../../../elf.ts'
import type { Elves } from '../../../elves/elf-executor.ts'
import { elfFacts, elfTool } from '../../../elves/elf-tool.ts'
import { PipeError } from '../../../error.ts'
import type { SessionId } from '../../../id.ts'
import { isJsonObject, type JsonValue } from '../../../json-value.ts'
import type { Message } from '../../../message.ts'
import type { OpenConversation } from '../../../open-conversation.ts'
import { visibleLine } from '../../../terminal/visible.ts'
import type { ToolExecutor } from '../../../tool.ts'
import type { ApplyingOptions } from '../tasks/apply-task-work.ts'
import type { WireContext } from '../wire-context.ts'
import { changesFiles, isOffered } from './known-tools.ts'
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
  const tool = elfTool(await describeOwn(parent.context))
  const elves = new LazyElves(() => load(parent))
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
  return isJsonObject(args) ? { ...args, background: false } : args
}

async function load(parent: ElfParent): Promise<Elves> {
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
    findAgent: (name) => findAgent(name, context),
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

/** Returns the agent of an elf. Throws `usage` for one that the agent which starts it may not start. */
async function findAgent(name: string, context: WireContext): Promise<AgentDefinition> {
  const { requireAgent } = await import('../run-agent.ts')
  const agent = requireAgent(name, await read(context))
  const names = startable(context)
  if (names?.some((one) => isSameAgent(one, agent.name)) !== false) return agent
  throw new PipeError('usage', `its agent may start only ${names.join(', ')}, not ${agent.name}`)
}

/** The only agents that the model may start; `undefined` for all. */
function startable({ choices }: Pick<WireContext, 'choices'>): readonly string[] | undefined {
  const lists = (choices.limitsOfAgents ?? []).flatMap((one) => (one.startable ? [one.startable] : []))
  return lists.at(-1)
}

type Reading = Pick<WireContext, 'machine' | 'loaded' | 'signal'>

async function read({ machine, loaded, signal }: Reading): Promise<FoundAgents> {
  const { readAgents } = await import('../found-agents.ts')
  return readAgents(machine, loaded, signal)
}

/** Lists the agents that an elf can work as. Throws `aborted`. */
export async function listAgents(context: Reading): Promise<readonly AgentDefinition[]> {
  return [...(await read(context)).agents.values()]
}

/** Longest line about an agent in the tool's description, and characters of all. */
const longest = { line: 160, all: 6_000 }

/** Describes the agents of files, a line each. Most projects have none. */
async function describeOwn(context: WireContext): Promise<readonly string[]> {
  const { directories, machine, loaded } = context
  const only = startable(context)
  const said = only === undefined ? [] : [`(you may start only ${only.join(', ')})`]
  const folders = agentFolders(
    { config: directories.config, home: machine.home },
    loaded.trust,
    loaded.plugins,
  )
  if (!folders.some(({ path }) => existsSync(path))) return said.map(visibleLine)
  const own = (await listAgents(context)).filter(({ path, name }) =>
    only === undefined ? path !== undefined : only.some((one) => isSameAgent(one, name)),
  )
  const lines = own.map(({ name, description }) => `${name}: ${description}`.slice(0, longest.line))
  const fits = lines.filter((_, at) => lines.slice(0, at + 1).join('\n').length <= longest.all)
  const left = lines.length - fits.length
  return [...fits, ...(left === 0 ? [] : [`(${left} more: pipe agents)`]), ...said].map(visibleLine)
}

/** Whether a run may start elves. */
export function mayDelegate(context: Pick<WireContext, 'choices' | 'loaded'>): boolean {
  return context.loaded.settings.elves !== false && isOffered(elfFacts.name, context)
}
