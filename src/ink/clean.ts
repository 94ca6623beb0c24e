import type { AgentEvent, TextDelta, ThinkingDelta } from '../event.ts'
import type { Danger, Interaction } from '../interaction.ts'
import { textField } from '../json-value.ts'
import { createScreenFilter, printable, type ScreenFilter } from '../terminal/printable.ts'
import { visible } from '../terminal/visible.ts'

type Delta = (TextDelta | ThinkingDelta) & Pick<AgentEvent, 'agentId' | 'seq'>

/** Cleans all agent events before they reach the screen. */
export class CleanEvents {
  /** The text block being written, identified by its last delta. */
  #open: { readonly delta: Delta; readonly filter: ScreenFilter } | undefined
  readonly #outputs = new Map<string, ScreenFilter>()

  /** Returns the cleaned event, preceded by the text that the filter of an ended block still held back. */
  take(event: AgentEvent): readonly AgentEvent[] {
    switch (event.type) {
      case 'text_delta':
      case 'thinking_delta': {
        const same = this.#open?.delta.type === event.type && this.#open.delta.id === event.id
        const held = same ? [] : this.#end()
        const filter = (same ? this.#open?.filter : undefined) ?? createScreenFilter()
        this.#open = { delta: event, filter }
        return [...held, { ...event, delta: filter.write(event.delta) }]
      }
      case 'tool_output': {
        const key = `${event.callId} ${event.stream}`
        const filter = this.#outputs.get(key) ?? createScreenFilter()
        this.#outputs.set(key, filter)
        return [{ ...event, chunk: filter.write(event.chunk) }]
      }
      case 'interaction_requested':
        return [...this.#end(), { ...event, interaction: cleanQuestion(event.interaction) }]
      case 'message':
        // The text of other messages was shown as it streamed.
        return [...this.#end(), event.message.type === 'user' ? cleanly(event, printable) : event]
      case 'turn_end':
        this.#outputs.clear()
        return [...this.#end(), event]
      default:
        return [...this.#end(), cleanly(event, printable)]
    }
  }

  #end(): readonly AgentEvent[] {
    if (this.#open === undefined) return []
    const { delta, filter } = this.#open
    this.#open = undefined
    const rest = filter.end()
    return rest === '' ? [] : [{ ...delta, delta: rest }]
  }
}

/** Returns the value with each of its strings cleaned. */
export function cleanly<T>(value: T, clean: (text: string) => string): T
export function cleanly(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map((one) => cleanly(one, clean))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleanly(one, clean)]))
}

/** Returns a question whose texts hide nothing. Moves the places of dangers along with the text of the command. */
export function cleanQuestion(interaction: Interaction): Interaction {
  const cleaned = cleanly(interaction, visible)
  const { display, parts } = interaction
  const command = textField(display.content, 'command')
  const dangers = display.dangers?.map((danger, i) => ({
    ...(cleaned.display.dangers?.[i] ?? danger),
    ...(command === undefined ? {} : placeIn(command, danger)),
  }))
  return {
    ...cleaned,
    display: { ...cleaned.display, ...(dangers === undefined ? {} : { dangers }) },
    // Never drawn, and what it holds may become a file.
    ...(interaction.call === undefined ? {} : { call: interaction.call }),
    ...(parts === undefined ? {} : { parts: parts.map(cleanQuestion) }),
  }
}

/** The place of a danger in the cleaned command. */
function placeIn(command: string, { start, end }: Danger): Pick<Danger, 'start' | 'end'> {
  if (start === undefined || end === undefined) return {}
  const at = (offset: number) => visible(command.slice(0, offset)).length
  return { start: at(start), end: at(end) }
}
