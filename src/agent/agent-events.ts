import type { ElfFact } from '../elf.ts'
import type { AgentEvent, AgentFact, StreamEvent } from '../event.ts'
import type { AgentId } from '../id.ts'
import type { AuditTrail } from './calls/audit-trail.ts'

const noEvents: readonly AgentEvent[] = []

/** Numbers the events of one agent, and places what its elves report between turns or into the running one. */
export class AgentEvents {
  readonly id: AgentId
  readonly trail: AuditTrail | undefined
  /** Whether a turn runs, or a move to another branch. */
  isTurn = false
  #seq = 0
  /** Facts for the running turn to yield, so that its events stay in order. */
  #told: AgentFact[] = []

  constructor(id: AgentId, trail?: AuditTrail) {
    this.id = id
    this.trail = trail
  }

  /**
   * Records what no call reports of an elf, and returns the event; `undefined` while a turn runs, which then yields it. Throws the audit
   * log's errors.
   */
  tell(fact: ElfFact): AgentEvent | undefined {
    this.trail?.note(fact)
    if (!this.isTurn) return this.stamped(fact)
    this.#told.push(fact)
    return undefined
  }

  /** Returns what was told since the last call, for the running turn to yield. */
  takeTold(): readonly AgentEvent[] {
    // Most events have none, and each asks.
    if (this.#told.length === 0) return noEvents
    return this.#told.splice(0).map((fact) => this.stamped(fact))
  }

  stamped(event: StreamEvent | AgentFact): AgentEvent {
    // V8 takes several times as long if the spread comes first.
    return { agentId: this.id, seq: ++this.#seq, ...event }
  }
}
