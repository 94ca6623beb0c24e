import type { AgentEvent, TextDelta, ThinkingDelta } from '../../event.ts'
import type { ScreenEvent } from '../reduce/screen-event.ts'

type AgentScreenEvent = Extract<ScreenEvent, { type: 'agent' }>
type DeltaEvent = AgentScreenEvent & { readonly event: AgentEvent & (TextDelta | ThinkingDelta) }

/** Joins consecutive deltas of one text to one event: thousands come between two drawings of the screen. */
export class JoinedDeltas {
  /** The last event, if it was a delta. */
  #last: DeltaEvent | undefined
  #parts: string[] = []

  /** Keeps a delta that continues the last event, and returns true. Returns false for any other event, which ends the text. */
  take(event: ScreenEvent): boolean {
    const last = this.#last
    if (last === undefined || !isDelta(event)) return false
    if (event.event.type !== last.event.type || event.event.id !== last.event.id) return false
    this.#parts.push(event.event.delta)
    this.#last = event
    return true
  }

  /** Makes the event, which must be applied by the caller, the last one. */
  follow(event: ScreenEvent): void {
    this.#last = isDelta(event) ? event : undefined
  }

  /** Returns the kept deltas as one event, and forgets them. */
  join(): ScreenEvent | undefined {
    const last = this.#last
    if (last === undefined || this.#parts.length === 0) return undefined
    const delta = this.#parts.join('')
    this.#parts = []
    return { ...last, event: { ...last.event, delta } }
  }
}

function isDelta(event: ScreenEvent): event is DeltaEvent {
  return (
    event.type === 'agent' && (event.event.type === 'text_delta' || event.event.type === 'thinking_delta')
  )
}
