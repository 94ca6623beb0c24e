import type { AgentDefinition } from '../actor.ts'
import { isPipeError } from '../error.ts'
import { textMessage } from '../history/new-message.ts'
import type { JsonValue } from '../json-value.ts'
import { asElfReport, type UserMessage } from '../message.ts'
import { errorResult, type ToolContext, type ToolRun, textResult } from '../tool.ts'
import type { ElvesOptions } from './elf-options.ts'
import { readElfCall } from './elf-tool.ts'
import { absent, ElfRoster } from './roster.ts'
import { type ElfOrder, type RunCall, runElf } from './run-elf.ts'
import { Slots } from './slots.ts'

/** Runs calls of the tool `elf`, and keeps the elves that they started. */
export interface Elves {
  readonly execute: (args: JsonValue, context: ToolContext) => ToolRun
  readonly roster: ElfRoster
}

/** Creates the elves of a conversation. Its owner closes the roster, which ends those in the background. */
export function createElves(options: ElvesOptions): Elves {
  const { told, named, findAgent } = options
  const roster = new ElfRoster({ told, named, report: (text) => reportOf(text, options) })
  const slots = new Slots(options.atOnce)
  const start = async function* (given: RunCall, context: ToolContext): ToolRun {
    // Named before anything is awaited, so that the names of one reply are in the order of its calls.
    const name = roster.add(context.child?.name)
    try {
      const agent = await findAgent(given.agent)
      const place = placeOf(given, agent, options.mayWrite)
      if (given.background === true && place.isAlone) return errorResult(notBeside)
      const background = given.background ?? (agent.background === true && !place.isAlone)
      const call = { ...given, background }
      const run = (own: ToolContext) => inSlot({ name, call, ...place }, own)
      if (!background) return yield* run(roster.stoppable(name, context))
      return yield* roster.adopt({ name, run, begins: slots.hasRoom(place.isAlone) }, context)
    } catch (error) {
      if (!isPipeError(error) || context.signal.aborted) throw error
      return errorResult(`The elf could not work: ${error.message}`)
    } finally {
      roster.ended(name)
    }
  }
  const inSlot = async function* (
    { name, call, isApart, isAlone }: Placed & { readonly name: string; readonly call: RunCall },
    context: ToolContext,
  ): ToolRun {
    let free: (() => void) | undefined
    try {
      free = await slots.take({ alone: isAlone, signal: context.signal })
      const onStart: ElfOrder['onStart'] = (elf, compose) => roster.started(name, elf, compose)
      return yield* runElf({ name, call, isApart, onStart }, context, options)
    } finally {
      free?.()
    }
  }
  const execute = async function* (args: JsonValue, context: ToolContext): ToolRun {
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
        return roster.stop(call.id) ? textResult(`${call.id} is stopped`) : errorResult(absent(call.id))
    }
  }
  return { execute, roster }
}

const notBeside =
  'An elf that changes the files in place cannot work in the background: leave out isolation, or background.'

function reportOf(text: string, { newId, now }: Pick<ElvesOptions, 'newId' | 'now'>): UserMessage {
  return asElfReport(textMessage(text, { newId, clock: { now } }))
}

interface Placed {
  /** Works in a folder of its own. */
  readonly isApart: boolean
  /** Works on the user's files and may change them, so that no other elf runs beside it. */
  readonly isAlone: boolean
}

function placeOf(call: RunCall, agent: AgentDefinition, isWriter: ElvesOptions['mayWrite']): Placed {
  const mayWrite = agent.mode !== 'plan' && (agent.tools?.some(isWriter) ?? true)
  const isolation = call.isolation ?? agent.isolation ?? (mayWrite ? 'worktree' : 'none')
  const isApart = isolation === 'worktree'
  return { isApart, isAlone: mayWrite && !isApart }
}
