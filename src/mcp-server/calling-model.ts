import type { Clock } from '../clock.ts'
import type { ModelChoice } from '../engine.ts'
import type { NewId } from '../id.ts'
import type { JsonObject } from '../json-value.ts'
import type { AdapterEvent, Finish } from '../reply/accumulator.ts'
import { adaptedProvider } from '../stream.ts'

/**
 * Stands in the place of a model for a client that calls tools: it replies with the client's next call, and once that is answered ends the
 * turn. So a call of a client takes the very way of a model's call.
 */
export class CallingModel {
  readonly choice: ModelChoice
  readonly #newId: NewId
  #next: { readonly name: string; readonly args: JsonObject } | undefined

  constructor({ newId, clock }: { readonly newId: NewId; readonly clock: Clock }) {
    this.#newId = newId
    this.choice = {
      provider: adaptedProvider('mcp', () => () => this.#reply(), { newId, clock }),
      model: 'client',
    }
  }

  /** Makes this call the next reply. */
  put(name: string, args: JsonObject): void {
    this.#next = { name, args }
  }

  async *#reply(): AsyncGenerator<AdapterEvent, Finish> {
    const call = this.#next
    this.#next = undefined
    if (call === undefined) {
      yield { type: 'text_delta', id: 'block_0', delta: 'Done.' }
      return { stopReason: 'end_turn' }
    }
    const id = this.#newId.toolCall()
    yield { type: 'tool_call_begin', id, name: call.name }
    yield { type: 'tool_call_delta', id, delta: JSON.stringify(call.args) }
    yield { type: 'call_complete', id }
    return { stopReason: 'tool_use' }
  }
}
