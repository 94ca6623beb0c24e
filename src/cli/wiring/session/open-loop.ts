import { type OpenEngine, openEngine } from '../../../agent/open-engine.ts'
import type { Checkpoints } from '../../../history/checkpoint.ts'
import type { CalledWorks } from '../../../turn-hooks.ts'
import { usualModel } from '../model/chosen-model.ts'
import type { ModelsInUse } from '../model/models-in-use.ts'
import type { Records } from '../session-records.ts'
import type { Toolset } from '../tools/toolset.ts'
import type { WireContext } from '../wire-context.ts'
import type { LoopState } from './loop-state.ts'
import { endingWith } from './open-checkpoints.ts'

/** Names the parts that the loop of a conversation runs on. */
export interface LoopParts {
  readonly records: Records
  readonly models: ModelsInUse
  readonly state: LoopState
  readonly toolset: Toolset
}

/** The parts, and what messages call. */
interface CallingParts extends LoopParts {
  readonly called: CalledWorks
}

/** Opens the engine of a conversation. It is closed after the elves, whose ends it records. */
export function openLoop(
  context: WireContext,
  { records, models, state, toolset, called }: CallingParts,
): OpenEngine {
  const { machine, asked, choices, parts, loaded, closing } = context
  const { earlier, lastWritten, id, log } = records
  const { clock, newId, random } = machine
  const { maxReplyTokens, temperature, limits, demands = [] } = choices
  const isModelOfAgent = choices.model !== asked.choices.model
  const mayName = choices.mayAskForTitle && id !== undefined && earlier === undefined
  const engine = openEngine({
    log,
    ...state,
    clock,
    newId,
    random,
    limits,
    model: models.current.choice,
    executor: toolset.executor,
    attended: toolset.attended,
    messages: earlier?.messages,
    lastWritten,
    title: earlier?.title,
    pending: earlier?.pending,
    maxReplyTokens,
    temperature,
    demands: [toolset.news ?? [], toolset.check ?? [], demands].flat(),
    savedModel: isModelOfAgent ? usualModel(asked.loaded.settings, earlier) : undefined,
    pace: parts.pace,
    routing: models.routing,
    autoCompact: loaded.settings.compaction?.auto,
    hooks: toolset.hooks?.conversation,
    called,
    checkpoints: checkpointsOf(context, toolset.checkpoints, records),
    naming: {
      redact: records.redactTitle,
      model: mayName ? models.fast : undefined,
    },
  })
  records.transcript?.follow(() => engine.engine.history)
  closing.add(() => engine.close())
  closing.add(() => toolset.hooks?.conversation.close())
  closing.add(() => toolset.elves?.close())
  return engine
}

/** Returns the checkpoints whose turns the conversation begins and ends: not those of the conversation that opened it. */
function checkpointsOf(
  { choices, parts }: Pick<WireContext, 'choices' | 'parts'>,
  checkpoints: Checkpoints,
  { indexTurn }: Pick<Records, 'indexTurn'>,
): Checkpoints | undefined {
  if (parts.checkpoints !== undefined) return undefined
  return choices.interactive ? endingWith(indexTurn, checkpoints) : checkpoints
}
