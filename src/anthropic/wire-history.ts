import type { Message } from '../message.ts'
import { type BoundRequest, ThoughtBinding } from './binding.ts'
import { type WireMessage, WireMessages } from './messages.ts'

/** The messages of a request, and the binding of the thoughts in its reply. */
interface WireRequest {
  readonly messages: readonly WireMessage[]
  readonly binding: ThoughtBinding
}

interface Converted extends WireRequest {
  readonly request: BoundRequest
  /** The messages that were converted. */
  readonly taken: Message[]
  readonly wire: WireMessages
}

/**
 * The conversation that was sent last. A request that continues it converts only its new messages, and the others stay the same objects;
 * one of another conversation begins anew. The result is the same.
 */
export class WireHistory {
  readonly #provider: string
  #last: Converted | undefined

  constructor(provider: string) {
    this.#provider = provider
  }

  convert(request: BoundRequest, messages: readonly Message[]): WireRequest {
    const known =
      this.#last !== undefined && continues(this.#last, request, messages) ? this.#last : undefined
    const { taken, wire, binding } = known ?? this.#begin(request)
    // A message that fails to convert would leave half of itself.
    this.#last = undefined
    for (const message of messages.slice(taken.length)) {
      wire.add(message)
      taken.push(message)
    }
    this.#last = { request, taken, wire, binding, messages: wire.list }
    return { messages: wire.list, binding: binding.copy() }
  }

  #begin(request: BoundRequest): Pick<Converted, 'taken' | 'wire' | 'binding'> {
    const binding = new ThoughtBinding(request, this.#provider)
    return { taken: [], wire: new WireMessages(this.#provider, request.model, binding), binding }
  }
}

/** Whether a request begins with all of the last one, which never changes. */
function continues({ request, taken }: Converted, next: BoundRequest, messages: readonly Message[]): boolean {
  return (
    next.model === request.model &&
    next.systemPrompt === request.systemPrompt &&
    next.tools.length === request.tools.length &&
    next.tools.every((tool, i) => tool === request.tools[i]) &&
    taken.every((message, i) => message === messages[i])
  )
}
