import type { Clock } from '../../../clock.ts'
import type { ModelChoice } from '../../../engine.ts'
import { PipeError } from '../../../error.ts'
import type { StreamEvent } from '../../../event.ts'
import type { AssistantMessage } from '../../../message.ts'
import type { Provider, Stream } from '../../../provider.ts'
import { BoundedWait } from './bounded-wait.ts'
import { foreignFailure } from './foreign-failure.ts'

/**
 * Wraps a foreign provider, so that one that throws or ignores its signal fails the turn with a PipeError: `protocol`, unless it throws
 * one with a code of its own.
 */
export function containProvider(provider: Provider, clock: Clock): Provider {
  const { name } = provider
  return {
    name,
    stream(request, { signal }) {
      try {
        const stream = provider.stream(request, { signal })
        if (typeof stream?.next !== 'function') throw new Error('its `stream` must return a Stream')
        return new ContainedStream(name, stream, new BoundedWait(signal, clock, `the provider ${name}`))
      } catch (error) {
        throw failure(error, name)
      }
    },
  }
}

/** Wraps the provider of a choice. */
export function containChoice(choice: ModelChoice, clock: Clock): ModelChoice {
  return { ...choice, provider: containProvider(choice.provider, clock) }
}

function failure(error: unknown, name: string): PipeError {
  return foreignFailure(error, 'protocol', `the provider ${name}`)
}

class ContainedStream implements Stream {
  readonly #name: string
  readonly #stream: Stream
  readonly #limit: BoundedWait
  #failure: PipeError | undefined
  #isIterated = false

  constructor(name: string, stream: Stream, limit: BoundedWait) {
    this.#name = name
    this.#stream = stream
    this.#limit = limit
  }

  async next(): Promise<IteratorResult<StreamEvent, undefined>> {
    try {
      return await this.#limit.wait(this.#stream.next())
    } catch (error) {
      this.#failure ??= failure(error, this.#name)
      throw this.#failure
    }
  }

  message(): AssistantMessage {
    try {
      return this.#stream.message()
    } catch (error) {
      // The first failure explains the others.
      throw this.#failure ?? failure(error, this.#name)
    }
  }

  async close(): Promise<void> {
    this.#limit.start()
    try {
      await this.#limit.wait(this.#stream.close())
    } catch (error) {
      throw failure(error, this.#name)
    } finally {
      this.#limit.end()
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  [Symbol.asyncIterator](): AsyncIterator<StreamEvent, undefined> {
    if (this.#isIterated)
      throw new PipeError('conflict', 'a stream has one consumer; it is being iterated already')
    this.#isIterated = true
    return {
      next: () => this.next(),
      return: () => this.close().then(() => ({ done: true, value: undefined })),
    }
  }
}
