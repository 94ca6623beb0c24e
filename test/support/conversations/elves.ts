import type { AgentDefinition } from '../../../src/actor.ts'
import { changesFiles } from '../../../src/cli/wiring/tools/known-tools.ts'
import type { Clock } from '../../../src/clock.ts'
import type { ElfFact } from '../../../src/elf.ts'
import { createElves } from '../../../src/elves/elf-executor.ts'
import type { ElvesOptions } from '../../../src/elves/elf-options.ts'
import type { Limits } from '../../../src/engine.ts'
import { PipeError } from '../../../src/error.ts'
import type { NewId } from '../../../src/id.ts'
import type { JsonObject } from '../../../src/json-value.ts'
import type { ChildConversation } from '../../../src/open-conversation.ts'
import { type ToolExecutor, type ToolRun, textResult } from '../../../src/tool.ts'
import { stillClock } from '../clocks/still-clock.ts'
import { countingIds } from '../messages/ids.ts'
import { now, text, user } from '../messages/messages.ts'
import { openAgent } from './agent.ts'
import { scriptedTools } from './scripted-tools.ts'
import { toolContext } from './tool-run.ts'

type Rounds = NonNullable<Parameters<typeof openAgent>[0]>['rounds']

export interface ElvesSetup extends Partial<Pick<ElvesOptions, 'worktrees' | 'apply'>> {
  /** The replies of each elf, in the order they begin. */
  readonly rounds: readonly NonNullable<Rounds>[]
  readonly executor?: ToolExecutor
  readonly limits?: Limits
  readonly clock?: Clock
  readonly agents?: readonly AgentDefinition[]
}

const explore: AgentDefinition = {
  name: 'explore',
  description: 'looks',
  source: 'builtin',
  mode: 'plan',
  prompt: '',
}
const general: AgentDefinition = { name: 'general', description: 'works', source: 'builtin', prompt: '' }

/** Elves with scripted models, that are not saved and have no folders. */
export function openElves(setup: ElvesSetup) {
  const {
    rounds,
    executor = scriptedTools({}),
    limits = {},
    clock = stillClock(),
    agents = [explore, general],
  } = setup
  const queue = [...rounds]
  const newId: NewId = countingIds()
  const told: ElfFact[] = []
  const open = async (): Promise<ChildConversation> => {
    const own = queue.shift()
    if (own === undefined) throw new PipeError('config', 'no elf is scripted')
    const { engine, conversation } = openAgent({ rounds: own, executor, limits, clock, newId })
    const compose = (words: string) => user(text(words))
    return {
      engine,
      compose,
      sessionId: undefined,
      model: 'replay/script',
      warnings: [],
      close: async () => {
        await conversation.close()
        return undefined
      },
    }
  }
  const options: ElvesOptions = {
    open,
    newId,
    limits,
    sessionId: undefined,
    atOnce: 4,
    named: 0,
    now: () => now,
    findAgent: async (name) => {
      const agent = agents.find((one) => one.name === name)
      if (agent === undefined) throw new PipeError('usage', `there is no agent ${name}`)
      return agent
    },
    mayWrite: changesFiles,
    worktrees: setup.worktrees ?? (() => Promise.reject(new PipeError('tool', 'there are no folders'))),
    apply:
      setup.apply ??
      // biome-ignore lint/correctness/useYield: nothing is applied
      async function* (): ToolRun {
        return textResult('applied')
      },
    told: (fact) => {
      told.push(fact)
      return { ...fact, agentId: newId.agent(), seq: 1 }
    },
  }
  const { execute, roster } = createElves(options)
  const call = (args: JsonObject, signal?: AbortSignal) => execute(args, toolContext(signal))
  return { call, roster, told }
}
