import type { AgentEvent, TextDelta, ThinkingDelta } from '../event.ts'

/** What keeps text from elsewhere from acting on the terminal. */
export interface Filters {
  /** A whole text without anything that a terminal would obey. */
  clean(text: string): string
  /** A whole text that a person must judge, with nothing in it hidden. */
  visible(text: string): string
  /** `clean` for a text that comes in chunks. */
  createFilter(): { write(chunk: string): string; end(): string }
}

type Filter = ReturnType<Filters['createFilter']>
type Delta = (TextDelta | ThinkingDelta) & Pick<AgentEvent, 'agentId' | 'seq'>

/** Everything that the agent says on its way to the screen: nothing goes around the filter. */
export class CleanEvents {
  readonly #filters: Filters
  /** The text that is being written, by its last delta. */
  #open: { readonly delta: Delta; readonly filter: Filter } | undefined
  readonly #outputs = new Map<string, Filter>()

  constructor(filters: Filters) {
    this.#filters = filters
  }

  /** The event as it may be shown, after what an ended text had still held back. */
  take(event: AgentEvent): readonly AgentEvent[] {
    switch (event.type) {
      case 'text_delta':
      case 'thinking_delta': {
        const same = this.#open?.delta.type === event.type && this.#open.delta.id === event.id
        const held = same ? [] : this.#end()
        const filter = (same ? this.#open?.filter : undefined) ?? this.#filters.createFilter()
        this.#open = { delta: event, filter }
        return [...held, { ...event, delta: filter.write(event.delta) }]
      }
      case 'tool_output': {
        const key = `${event.callId} ${event.stream}`
        const filter = this.#outputs.get(key) ?? this.#filters.createFilter()
        this.#outputs.set(key, filter)
        return [{ ...event, chunk: filter.write(event.chunk) }]
      }
      case 'interaction_requested':
        return [...this.#end(), cleanly(event, this.#filters.visible)]
      case 'message':
        // The others were shown as they came.
        return [...this.#end(), event.message.type === 'user' ? this.#whole(event) : event]
      case 'turn_end':
        this.#outputs.clear()
        return [...this.#end(), event]
      default:
        return [...this.#end(), this.#whole(event)]
    }
  }

  #whole(event: AgentEvent): AgentEvent {
    return cleanly(event, this.#filters.clean)
  }

  #end(): readonly AgentEvent[] {
    if (this.#open === undefined) return []
    const { delta, filter } = this.#open
    this.#open = undefined
    const rest = filter.end()
    return rest === '' ? [] : [{ ...delta, delta: rest }]
  }
}

/** The value with each of its texts cleaned. */
export function cleanly<T>(value: T, clean: (text: string) => string): T
export function cleanly(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map((one) => cleanly(one, clean))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleanly(one, clean)]))
}
