import type { AgentDefinition } from '../agent-definition.ts'
import { isPipeError } from '../error.ts'
import {
  errorResult,
  type ToolContext,
  type ToolExecutor,
  type ToolResult,
  type ToolRun,
  textResult,
} from '../tool.ts'
import type { ElvesOptions } from './options.ts'
import { ElfRoster } from './roster.ts'
import { type ElfOrder, type RunCall, runElf } from './run-elf.ts'
import { Slots } from './slots.ts'
import { elfTool, readElfCall } from './tool.ts'

/** The tool `elf`, and the elves that it started. */
export interface Elves {
  readonly executor: ToolExecutor
  readonly roster: ElfRoster
}

/** Creates the executor of elves. Its owner closes the roster, which ends those in the background. */
export function createElves(options: ElvesOptions): Elves {
  const tool = elfTool(options.moreAgents)
  const roster = new ElfRoster(options.told)
  const slots = new Slots(options.atOnce)
  const execute = async function* (args: Parameters<typeof readElfCall>[0], context: ToolContext): ToolRun {
    const read = readElfCall(args)
    if (read.type === 'refused') return errorResult(read.reason)
    const call = read.value
    switch (call.action) {
      case 'run':
        return yield* start(call, context)
      case 'wait':
        return roster.wait(call.id, context.signal)
      case 'send':
        return roster.send(call.id, call.prompt)
      case 'stop':
        return roster.stop(call.id) ? textResult(`${call.id} is stopped`) : unknown(call.id)
    }
  }
  const start = async function* (call: RunCall, context: ToolContext): ToolRun {
    try {
      const agent = await options.findAgent(call.agent)
      const name = roster.add()
      const run = inSlot({
        name,
        call,
        agent,
        ...placeOf(call, agent, options),
        begun: (elf, compose) => roster.begun(name, elf, compose),
      })
      if (!call.background) return yield* run(roster.stoppable(name, context))
      return yield* roster.adopt(name, run, context)
    } catch (error) {
      if (!isPipeError(error) || context.signal.aborted) throw error
      return errorResult(`The elf could not work: ${error.message}`)
    }
  }
  const inSlot = ({ isAlone, ...order }: ElfOrder & Place) =>
    async function* (context: ToolContext): ToolRun {
      const free = await slots.take({ alone: isAlone, signal: context.signal })
      try {
        return yield* runElf(order, context, options)
      } finally {
        free()
        roster.ended(order.name)
      }
    }
  return {
    executor: { tools: () => [tool], execute: (_name, args, context) => execute(args, context) },
    roster,
  }
}

function unknown(id: string): ToolResult {
  return errorResult(`no elf ${id.slice(0, 64)} is at work`)
}

interface Place {
  /** Works in a folder of its own. */
  readonly isApart: boolean
  /** Works on the user's files and may change them, so that no other elf runs beside it. */
  readonly isAlone: boolean
}

const writingTools = ['write', 'edit', 'bash', 'process']

function placeOf(call: RunCall, agent: AgentDefinition, { worktrees }: ElvesOptions): Place {
  const mayWrite = agent.mode !== 'plan' && (agent.tools?.some((name) => writingTools.includes(name)) ?? true)
  const isolation = call.isolation ?? agent.isolation ?? (mayWrite ? 'worktree' : 'none')
  const isApart = isolation === 'worktree' && worktrees !== undefined
  return { isApart, isAlone: mayWrite && !isApart }
}
