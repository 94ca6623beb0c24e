import type { Clock } from '../clock.ts'
import type { NewId } from '../id.ts'
import { textContent } from '../message.ts'
import { complete, type Provider, type Request } from '../provider.ts'
import {
  type CanonicalMessage,
  canonicalHistory,
  checkCanonicalMessage,
  createCanonicalMessage,
} from './canonical.ts'

/** A model that answers canonical messages. Throws `invalid` for a message that breaks a rule, and the provider's errors. */
export interface CanonicalProvider {
  /** Returns the whole answer. */
  complete(messages: readonly CanonicalMessage[], options: CanonicalOptions): Promise<CanonicalMessage>
  /** Yields the answer's text as it comes. */
  stream(
    messages: readonly CanonicalMessage[],
    options: CanonicalOptions,
  ): AsyncGenerator<string, void, undefined>
}

export interface CanonicalOptions {
  readonly signal: AbortSignal
}

/** Lets a provider answer canonical messages with one of its models, without tools. */
export function createCanonicalProvider(
  provider: Provider,
  model: string,
  { newId, clock }: { readonly newId: NewId; readonly clock: Pick<Clock, 'now'> },
): CanonicalProvider {
  const requestOf = (messages: readonly CanonicalMessage[]): Request => {
    for (const message of messages) checkCanonicalMessage(message, clock.now())
    return { model, ...canonicalHistory(messages), tools: [] }
  }
  return {
    complete: async (messages, options) => {
      const reply = await complete(provider, requestOf(messages), options)
      const { timestamp } = reply
      return createCanonicalMessage('assistant', textContent(reply), { id: newId.message(), timestamp })
    },
    async *stream(messages, options) {
      const reply = provider.stream(requestOf(messages), options)
      try {
        for await (const event of reply) if (event.type === 'text_delta') yield event.delta
      } finally {
        await reply.close()
      }
    },
  }
}
