import type { AgentEvent } from '../../event.ts'
import type { CallInQuestion, Interaction } from '../../interaction.ts'

/** A call, and the id under which it runs. */
export interface QuestionedCall extends CallInQuestion {
  readonly callId: string
}

/** Finds the calls that questions are about, those of elves too: their questions come before those that repeat them. */
export class QuestionedCalls {
  readonly #running = new Map<string, QuestionedCall>()
  readonly #asking = new Map<string, QuestionedCall>()

  see(event: AgentEvent): void {
    switch (event.type) {
      case 'tool_start':
        this.#running.set(event.callId, {
          callId: event.callId,
          name: event.name,
          arguments: event.arguments,
        })
        return
      case 'tool_end':
        this.#running.delete(event.callId)
        return
      case 'interaction_requested': {
        const { interaction, callId = '' } = event
        const call = this.#running.get(callId)
        if (call === undefined || this.#asking.has(interaction.id)) return
        this.#asking.set(interaction.id, { ...call, ...interaction.call })
        return
      }
      case 'interaction_responded':
        this.#asking.delete(event.response.interactionId)
        return
      default:
    }
  }

  /** Returns the call that a question is about, with the arguments that it would run with. */
  of({ id }: Interaction): QuestionedCall | undefined {
    return this.#asking.get(id)
  }
}
