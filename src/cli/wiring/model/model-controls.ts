import type { FirstRequest } from '../../../config/models/auto-route.ts'
import { type Engine, infoOf, type ModelChoice } from '../../../engine.ts'
import type { ThinkingControl } from '../../../frontend/conversation-view.ts'
import { levelsOf } from '../../../model.ts'
import type { ModelOrigin } from './chosen-model.ts'
import type { ModelsInUse } from './models-in-use.ts'

/** Lets front ends see and change the model of a conversation. */
export interface ModelControls {
  /** Returns the `provider/model`, as last chosen. */
  model(): string
  /** Returns what decided it. */
  modelOrigin(): ModelOrigin
  /** Lets the first message of a run decide which model answers, if the user left it to that. */
  decide(request: FirstRequest): void
  /** Opens another model for this conversation, `provider/model[:level]`. Throws `usage`, `config`, `auth`. */
  openModel(text: string): Promise<ModelChoice>
  /** Returns the context size of a `provider/model` in tokens, if known. */
  contextWindow(model: string): number | undefined
  /** Returns the model, `provider/model`, if it is known to take no images. */
  blindModel(): string | undefined
  /** The thinking of the current model. */
  readonly thinking: ThinkingControl
}

/** Returns the controls of a conversation's model. The engine learns at once what they decide. */
export function controlModels(
  {
    current,
    open,
    contextWindow,
    isBlind,
  }: Pick<ModelsInUse, 'current' | 'open' | 'contextWindow' | 'isBlind'>,
  engine: Pick<Engine, 'send'>,
): ModelControls {
  return {
    model: () => current.name,
    modelOrigin: () => current.origin,
    decide: (request) => {
      const choice = current.decide(request)
      if (choice !== undefined) engine.send({ type: 'set_model', choice })
    },
    openModel: async (text) => {
      const choice = await open(text)
      current.choose(choice)
      return choice
    },
    contextWindow,
    blindModel: () => (!current.isUndecided && isBlind(current.name) ? current.name : undefined),
    thinking: {
      level: () => current.choice.thinking,
      levels: () => levelsOf(infoOf(current.choice)),
      set: (thinking) => {
        current.choose({ ...current.choice, thinking })
        engine.send({ type: 'set_model', choice: current.choice })
      },
    },
  }
}

/** Controls the thinking of whatever conversation is open at the time. */
export function thinkingOf(opened: () => Pick<ModelControls, 'thinking'>): ThinkingControl {
  return {
    level: () => opened().thinking.level(),
    levels: () => opened().thinking.levels(),
    set: (level) => opened().thinking.set(level),
  }
}
