import { Meter } from '../../../agent/limits/meter.ts'
import { askAside } from '../../../agent/request/side-request.ts'
import { readModelRoute } from '../../../config/models/route-models.ts'
import type { Settings } from '../../../config/settings.ts'
import type { ModelChoice } from '../../../engine.ts'
import { throwIfAborted } from '../../../error.ts'
import type { AskModel } from '../../../hooks/ask-about.ts'
import { textContent } from '../../../message.ts'
import { noUsage } from '../../../usage.ts'
import type { Machine } from '../../machine.ts'
import type { CurrentModel } from '../model/current-model.ts'
import type { ModelsInUse } from '../model/models-in-use.ts'
import type { LoopState } from '../session/loop-state.ts'

/** Tokens of a reply: some models think even if they are asked not to. */
const replyTokens = 2_000

export interface AskingParts {
  readonly machine: Machine
  readonly settings: Settings
  readonly model: CurrentModel
  readonly others: Pick<ModelsInUse, 'fast' | 'open'>
  readonly state: Pick<LoopState, 'spending'>
}

/**
 * Asks the model that a hook names by `provider/model` or by a route, else that of the route `fast`, else the conversation's. What it costs
 * counts in the run.
 */
export function modelAsker({ machine, settings, model: current, others, state }: AskingParts): AskModel {
  const { clock, random, newId } = machine
  const { budget } = state.spending
  const open = async (name: string | undefined): Promise<ModelChoice> => {
    // Hooks of other agents name models of theirs, such as haiku.
    const isOurs = name !== undefined && (name.includes('/') || readModelRoute(name, settings).length > 0)
    if (isOurs) return others.open(name)
    return (await others.fast?.()) ?? current.choice
  }
  return async ({ model, ...question }, { signal }) => {
    const choice = await open(model)
    budget.requireLeft(choice)
    const maxTokens = budget.replyLimit(replyTokens, choice.info)
    const spent = new Meter(noUsage, undefined, budget)
    const asking = { choice, clock, random, newId, spent, signal, latency: new Map<string, number>() }
    const asked = askAside({ ...question, maxTokens }, asking)
    for (;;) {
      const step = await asked.next()
      if (step.done !== true) continue
      const { message, error } = step.value
      throwIfAborted(signal)
      if (error !== undefined) throw error
      return textContent(message)
    }
  }
}
