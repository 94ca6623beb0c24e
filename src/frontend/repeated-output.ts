import type { AgentEvent } from '../event.ts'
import type { JsonObject } from '../json-value.ts'

/** Maximum bytes of one call's output to repeat. */
const mostRepeated = 1024 * 1024

/** A repeated event, with the extra fields for its line. */
interface Repeated {
  readonly event: AgentEvent
  readonly told: JsonObject
}

/**
 * Limits the output of each call to 1 MB. Empties the first chunk over it, marks it `truncated` and drops later ones. The call's end
 * reports the dropped bytes as `output_left_out`.
 */
export class RepeatedOutput {
  readonly #calls = new Map<string, { kept: number; leftOut: number }>()

  /** `undefined` for a dropped event. */
  take(event: AgentEvent): Repeated | undefined {
    if (event.type === 'tool_output') return this.#output(event)
    if (event.type !== 'tool_end') return { event, told: {} }
    const { leftOut = 0 } = this.#calls.get(keyOf(event)) ?? {}
    this.#calls.delete(keyOf(event))
    return { event, told: leftOut === 0 ? {} : { output_left_out: leftOut } }
  }

  #output(event: Extract<AgentEvent, { type: 'tool_output' }>): Repeated | undefined {
    const call = this.#calls.get(keyOf(event)) ?? { kept: 0, leftOut: 0 }
    this.#calls.set(keyOf(event), call)
    const size = Buffer.byteLength(event.chunk)
    const isFirst = call.leftOut === 0
    if (isFirst && call.kept + size <= mostRepeated) {
      call.kept += size
      return { event, told: {} }
    }
    call.leftOut += size
    return isFirst ? { event: { ...event, chunk: '' }, told: { truncated: true } } : undefined
  }
}

/** Ids of calls are unique within one agent only. */
function keyOf({ agentId, callId }: { readonly agentId: string; readonly callId: string }): string {
  return `${agentId} ${callId}`
}
