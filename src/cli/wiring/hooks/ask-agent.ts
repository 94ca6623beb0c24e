import type { Actor } from '../../../actor.ts'
import { readModelRoute } from '../../../config/models/route-models.ts'
import type { Settings } from '../../../config/settings.ts'
import { PipeError, throwIfAborted } from '../../../error.ts'
import type { AskModel } from '../../../hooks/ask-about.ts'
import { textContent } from '../../../message.ts'
import type { OpenConversation } from '../../../open-conversation.ts'

/** Most rounds of an agent that judges. Its hook bounds the time. */
const limits = { maxRounds: 20 }

/** Id of the actor whose calls they are. */
const judge = 'agent_hook'

interface AgentParts {
  readonly settings: Settings
  /** May do no more than this one. */
  readonly actor: Pick<Actor, 'capabilities'>
  /** Set if the route `fast` has a model. */
  readonly fast: unknown
}

/**
 * Lets an agent that only reads answer: with the model that the hook names by `provider/model` or by a route, else that of the route `fast`,
 * else the conversation's. What it costs counts in the run. Without a way to open one, asking throws `tool`.
 */
export function agentAsker(
  open: OpenConversation | undefined,
  { settings, actor, fast }: AgentParts,
): AskModel {
  return async ({ systemPrompt, text, model: named }, { signal }) => {
    if (open === undefined) throw new PipeError('tool', 'no agent can be started here')
    // Hooks of other agents name models of theirs, such as haiku.
    const isOurs = named !== undefined && (named.includes('/') || readModelRoute(named, settings).length > 0)
    const model = isOurs ? named : fast === undefined ? undefined : 'fast'
    const { capabilities } = actor
    const child = await open({ actor: judge, capabilities, limits, model, forHook: true }, { signal })
    try {
      const turn = child.engine.submit(child.compose(`${systemPrompt}\n${text}`), { signal })
      for (;;) {
        const step = await turn.next()
        if (step.done !== true) continue
        throwIfAborted(signal)
        const { messages, error } = step.value
        if (error !== undefined) throw error
        const last = messages.findLast((message) => message.type === 'assistant')
        return last === undefined ? '' : textContent(last)
      }
    } finally {
      await child.close()
    }
  }
}
