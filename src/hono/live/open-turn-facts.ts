import type { Ending, Watched } from '../../conversation.ts'
import type { AgentEvent } from '../../event.ts'
import type { MessageId } from '../../id.ts'
import type { LastOutcome } from '../../session.ts'
import { StartedElves } from './elf-list.ts'

/** Keeps facts from the events of an open conversation, so that rows and lists need no snapshot. Each event costs O(1). */
export class OpenTurnFacts {
  readonly elves = new StartedElves()
  /** The open questions, with the agents that ask them. */
  readonly #questions = new Map<string, string>()
  #isTurn = false
  #outcome: LastOutcome | undefined
  #last: MessageId | undefined

  /** Whether a turn runs, also one that the result of an elf began. */
  get isTurn(): boolean {
    return this.#isTurn
  }

  /** The end of the last turn. `undefined` while one runs, before the first, and if the user stopped it. */
  get outcome(): LastOutcome | undefined {
    return this.#outcome
  }

  /** The last message of the conversation. */
  get last(): MessageId | undefined {
    return this.#last
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
    if (watched.type === 'asked') return this.#ask(watched.question.id)
    if (watched.type === 'ended') this.#outcome = turnOutcome(watched.ending)
    if (watched.type !== 'snapshot') return watched.type === 'settings' || watched.type === 'ended'
    const { questions, state, messages } = watched.snapshot
    this.#last = messages.at(-1)?.id
    this.#questions.clear()
    for (const { id } of questions) this.#questions.set(id, '')
    this.#isTurn = state !== 'idle'
    return true
  }

  #add(event: AgentEvent, isOwnEvent: boolean): boolean {
    if (isOwnEvent && (event.type === 'turn_start' || event.type === 'message'))
      this.#last = event.message?.id ?? this.#last
    switch (event.type) {
      case 'turn_start':
        if (isOwnEvent) {
          this.#isTurn = true
          this.#outcome = undefined
        }
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

  /** Adds a question of an elf in the background, unless an event of the elf has told it. */
  #ask(id: string): boolean {
    if (this.isAsked(id)) return false
    this.#questions.set(id, '')
    return true
  }

  /** Forgets the questions of an agent whose turn is over. */
  #withdraw(agentId: string): void {
    for (const [id, asker] of this.#questions) if (asker === agentId) this.#questions.delete(id)
  }
}

/** Returns how a turn ended; `undefined` if the user stopped it. */
export function turnOutcome({ stopReason, error }: Ending): LastOutcome | undefined {
  if (stopReason === 'aborted') return undefined
  return error === undefined ? 'done' : 'failed'
}
