import { openRunCalled } from './called/called-works.ts'
import { openRunTexts } from './called/run-texts.ts'
import { Closing } from './closing.ts'
import { openModels } from './model/models-in-use.ts'
import { openRunTransport } from './model/open-network.ts'
import { openContext, type WireOptions } from './open-context.ts'
import { openLoopState } from './session/loop-state.ts'
import { type LoopParts, openLoop } from './session/open-loop.ts'
import { openRecords } from './session-records.ts'
import { findOffered, nothingOffered } from './tools/offered-content.ts'
import { openToolset, type Toolset } from './tools/toolset.ts'
import { openTrustGate, type TrustGate } from './tools/trust-gate.ts'
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
    return await joinParts(context, { records, state, models, toolset })
  } catch (error) {
    await closing.close()
    throw error
  }
}

/** Opens the loop on parts that are open, and what messages of it may call. */
export async function joinParts(context: WireContext, parts: LoopParts): Promise<Wired> {
  const { records, models, toolset } = parts
  const { title } = context.choices
  const trust = await openTrust(context, toolset)
  const texts = openRunTexts(context, { toolset, trust, records, models })
  const called = openRunCalled(context, { records, models, toolset, files: texts })
  const conversation = openLoop(context, { ...parts, called })
  if (title !== undefined) await conversation.rename(title)
  return wiredOf(context, { ...parts, called, conversation, trust, texts })
}

/** Opens the gate of this folder. What the user is asked about is found only where somebody looks at a screen; elsewhere it is named. */
async function openTrust(context: WireContext, { policy }: Pick<Toolset, 'policy'>): Promise<TrustGate> {
  const { at, machine, choices, loaded, directories, signal } = context
  const isShown = choices.interactive && choices.parent === undefined && loaded.given?.isBare !== true
  const hasSkills = loaded.settings.skills !== false
  const offered = isShown
    ? await findOffered(loaded, { ...at, config: directories.config }, signal)
    : nothingOffered
  return openTrustGate({ machine, directories, loaded, policy, offered, hasSkills, signal })
}
