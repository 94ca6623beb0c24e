import type { Watched } from '../../conversation.ts'
import type { AgentEvent } from '../../event.ts'
import { StartedElves } from './elf-list.ts'

/** Keeps facts from the events of an open conversation, so that rows and lists need no snapshot. Each event costs O(1). */
export class OpenTurnFacts {
  readonly elves = new StartedElves()
  /** The open questions, with the agents that ask them. */
  readonly #questions = new Map<string, string>()
  #isTurn = false

  /** Whether a turn runs, also one that the result of an elf began. */
  get isTurn(): boolean {
    return this.#isTurn
  }

  /** Number of questions that wait for an answer. */
  get questions(): number {
    return this.#questions.size
  }

  isAsked(interactionId: string): boolean {
    return this.#questions.has(interactionId)
  }

  /** Takes what was watched. Returns whether the session's row may have changed. */
  see(watched: Watched): boolean {
    if (watched.type === 'event') return this.#add(watched.event, watched.isOwn)
    if (watched.type !== 'snapshot') return watched.type === 'settings' || watched.type === 'ended'
    const { questions, state } = watched.snapshot
    this.#questions.clear()
    for (const { id } of questions) this.#questions.set(id, '')
    this.#isTurn = state !== 'idle'
    return true
  }

  #add(event: AgentEvent, isOwnEvent: boolean): boolean {
    switch (event.type) {
      case 'turn_start':
        if (isOwnEvent) this.#isTurn = true
        return isOwnEvent
      case 'turn_end':
        if (isOwnEvent) this.#isTurn = false
        this.#withdraw(event.agentId)
        return true
      case 'interaction_requested':
        this.#questions.set(event.interaction.id, event.agentId)
        return true
      case 'interaction_responded':
        return this.#questions.delete(event.response.interactionId)
      case 'elf_start':
        this.elves.see(event)
        return false
      case 'elf_end':
        this.elves.see(event)
        this.#withdraw(event.elfId)
        return true
      default:
        return isOwnEvent && event.type === 'state'
    }
  }

  /** Forgets the questions of an agent whose turn is over. */
  #withdraw(agentId: string): void {
    for (const [id, asker] of this.#questions) if (asker === agentId) this.#questions.delete(id)
  }
}
