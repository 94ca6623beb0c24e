import { Closing } from './closing.ts'
import { openModels } from './model/models-in-use.ts'
import { openRunTransport } from './model/open-network.ts'
import { openContext, type WireOptions } from './open-context.ts'
import { openLoopState } from './session/loop-state.ts'
import { openLoop } from './session/open-loop.ts'
import { openRecords } from './session-records.ts'
import { findOffered, type Offered } from './tools/offered-content.ts'
import { openToolset } from './tools/toolset.ts'
import type { WireContext } from './wire-context.ts'
import { type Wired, wiredOf } from './wired.ts'

/**
 * Opens the parts of a conversation. Each step takes what the ones before it opened, and registers what it must close. Closes all of them
 * on failure. Throws `usage`, `config`, `auth`, `input`, `conflict`, `sandbox`.
 */
export async function wire({ toolset: open = openToolset, ...options }: WireOptions): Promise<Wired> {
  const closing = new Closing()
  try {
    const context = await openContext(options, closing)
    const records = await openRecords(context)
    const state = openLoopState(context, records)
    const transport = openRunTransport(context)
    // Messages that a caller gives say nothing about the model that goes on.
    const resumed = context.choices.history === undefined ? records.earlier : undefined
    const models = await openModels(context, resumed, transport)
    const toolset = await open(context, { records, state, transport, model: models.current, models })
    const conversation = openLoop(context, { records, state, models, toolset })
    if (options.choices.title !== undefined) await conversation.rename(options.choices.title)
    const offered = await offeredTo(context)
    return wiredOf(context, { records, state, models, toolset, conversation, offered })
  } catch (error) {
    await closing.close()
    throw error
  }
}

/** Finds what the user is asked about. Where nobody looks at a screen, it is only named. */
async function offeredTo({ at, choices, loaded, directories, signal }: WireContext): Promise<Offered> {
  if (!choices.interactive || choices.parent !== undefined || loaded.given?.isBare === true)
    return { agents: [], servers: [], hooks: [], imports: [] }
  return findOffered(loaded, { ...at, config: directories.config }, signal)
}
