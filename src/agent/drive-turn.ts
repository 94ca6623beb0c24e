import type { Engine, Turn } from '../engine.ts'
import type { AgentEvent } from '../event.ts'
import type { Interaction, InteractionResponse } from '../interaction.ts'
import type { UserMessage } from '../message.ts'

export interface TurnHandlers {
  /** Interrupts the turn. */
  readonly signal: AbortSignal
  /** Called for each event of the engine's own agent, in order. The turn waits for the promise, if one is returned. */
  readonly onEvent: (event: AgentEvent) => Promise<void> | void
  /** Called for each event of an elf. Its questions come through `onEvent` and `onQuestion`. Default: nothing. */
  readonly onElfEvent?: (event: AgentEvent) => Promise<void> | void
  /** Answers a question. Default: the caller sends `respond` itself. */
  readonly onQuestion?: (question: Interaction) => Promise<InteractionResponse>
}

/**
 * Runs one turn to its end; without a message, at the open questions of an earlier run. If a handler throws, because the reader went away or the disk is full, interrupts the turn, lets it be
 * saved, and then throws that error. Throws what `Engine.submit` throws.
 */
export async function driveTurn(
  engine: Engine,
  message: UserMessage | undefined,
  { signal, onEvent, onElfEvent, onQuestion }: TurnHandlers,
): Promise<Turn> {
  const turn = engine.submit(message, { signal })
  let failure: { readonly error: unknown } | undefined
  for (;;) {
    const step = await turn.next()
    if (step.done === true) {
      if (failure !== undefined) throw failure.error
      return step.value
    }
    if (failure !== undefined) continue
    const event = step.value
    try {
      const isOwn = event.agentId === engine.id
      const shown = isOwn ? onEvent(event) : onElfEvent?.(event)
      if (shown !== undefined) await shown
      if (!isOwn) continue
      if (event.type !== 'interaction_requested' || onQuestion === undefined) continue
      const response = await onQuestion(event.interaction)
      // An abort has settled the question already.
      if (!signal.aborted) engine.send({ type: 'respond', response })
    } catch (error) {
      failure = { error }
      engine.send({ type: 'interrupt' })
    }
  }
}
