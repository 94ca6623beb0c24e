import { Budget } from '../../agent/limits/budget.ts'
import type { Meter } from '../../agent/limits/meter.ts'
import { Pace } from '../../agent/request/pace.ts'
import { createProcessTable } from '../../process/process-table.ts'
import type { AnswerDemand } from '../../turn-hooks.ts'
import type { Machine } from '../machine.ts'
import { Closing } from './closing.ts'
import { type ModelsInUse, openModels } from './model/models-in-use.ts'
import { openRunTransport } from './model/open-network.ts'
import { openContext, type WireOptions } from './open-context.ts'
import { openLoopState } from './session/loop-state.ts'
import { openRecords, type Records } from './session-records.ts'
import { openGround, type ToolGround } from './tools/tool-ground.ts'
import { openToolset } from './tools/toolset.ts'
import type { WireContext } from './wire-context.ts'
import type { Wired } from './wired.ts'
import { joinParts } from './wiring.ts'

/** Shares all that does not depend on the words of a conversation among many short ones. */
export interface WiredMany {
  /** The spending of all of them. */
  readonly spent: Pick<Meter, 'usage' | 'costUsd'>
  /** The `provider/model` that answers them, unless a fallback does. */
  readonly model: string
  /** The folder for what their messages are too small for. */
  readonly files: string
  /** Opens one of them. None is saved. */
  open(about: OneOfMany, signal: AbortSignal): Promise<Wired>
  /** Close the conversations first. */
  close(): Promise<void>
}

/** Holds the parts of one conversation alone. */
export interface OneOfMany {
  /** The record that it is about, for the audit log. */
  readonly index: number
  /** Judge its answers. */
  readonly demands: readonly AnswerDemand[]
}

interface Shared {
  readonly context: WireContext
  readonly records: Records
  readonly models: ModelsInUse
  readonly transport: ReturnType<typeof openRunTransport>
  readonly ground: ToolGround
}

/**
 * Opens what many conversations share: settings, rules, servers, the network, the models, one audit log, one budget, and one pace of requests.
 * Throws as `wire`.
 */
export async function wireMany(options: WireOptions): Promise<WiredMany> {
  const closing = new Closing()
  try {
    const { limits, ...choices } = options.choices
    const { maxRounds, ...ofAll } = limits
    const budget = new Budget(ofAll)
    const pace = new Pace(options.machine.clock)
    const own = { ...choices, limits: maxRounds === undefined ? {} : { maxRounds }, budget, isSaved: false }
    const parts = { ...options.parts, pace }
    const context = await openContext({ ...options, choices: own, parts }, closing)
    const records = await openRecords(context)
    const transport = openRunTransport(context)
    const models = await openModels(context, undefined, transport)
    const ground = await openGround(context, { records, transport })
    let isPromptAudited = false
    return {
      spent: budget.spent,
      model: models.current.name,
      files: records.files,
      open: (about, signal) => {
        const shared = { context, records: { ...records, isPromptAudited }, models, transport, ground }
        isPromptAudited = true
        return openOne(shared, about, signal)
      },
      close: () => closing.close(),
    }
  } catch (error) {
    await closing.close()
    throw error
  }
}

/** Opens one conversation on what all share. */
async function openOne(
  { transport, ...shared }: Shared,
  { index, demands }: OneOfMany,
  signal: AbortSignal,
): Promise<Wired> {
  const closing = new Closing()
  try {
    const context = {
      ...shared.context,
      choices: { ...shared.context.choices, demands },
      closing,
      signal,
    }
    const records = recordsOfOne(shared.records, index, context.machine)
    const state = openLoopState(context, records)
    const models = { ...shared.models, current: shared.models.anew() }
    const processes = createProcessTable()
    closing.add(() => processes.close())
    const variables = shared.ground.variables.anew()
    closing.add(() => variables.close())
    const ground = { ...shared.ground, running: { ...shared.ground.running, processes }, variables }
    const toolset = await openToolset(context, {
      records,
      state,
      transport,
      model: models.current,
      models,
      ground,
    })
    return await joinParts(context, { records, state, models, toolset })
  } catch (error) {
    await closing.close()
    throw error
  }
}

/** Gives a conversation an id of its own. The audit log of all says which record its entries are about. */
function recordsOfOne(records: Records, record: number, { newId }: Pick<Machine, 'newId'>): Records {
  const { audit } = records
  return {
    ...records,
    log: { ...records.log, id: newId.session() },
    audit: {
      get unsaved() {
        return audit.unsaved
      },
      get head() {
        return audit.head
      },
      append: (entry) => audit.append({ ...entry, audit: { record, ...entry.audit } }),
      settle: () => audit.settle(),
      sync: () => audit.sync(),
      close: () => audit.sync(),
    },
  }
}
