import type { Clock } from './clock.ts'
import { hasCode, isPipeError, PipeError } from './error.ts'
import type { StreamEvent } from './event.ts'
import type { NewId } from './id.ts'
import type { AssistantMessage } from './message.ts'
import { type Provider, type Request, type Stream, validateRequest } from './provider.ts'
import { Accumulator, type AdapterEvent, type Finish, type Speaker } from './reply/accumulator.ts'
import { joinDeltas } from './reply/join-deltas.ts'
import { replySizeLimit } from './reply/reply-size.ts'
import type { StopReason } from './usage.ts'

/**
 * Reads one server's reply. Yields events, or batches of the events from one read, whose neighbouring deltas are then joined.
 * Connects at the first pull. Disconnects when the signal fires or it is returned; `close()` waits for that.
 */
export type Adapter = (signal: AbortSignal) => AdapterRun

type AdapterRun = AsyncGenerator<AdapterEvent | readonly AdapterEvent[], Finish, undefined>

/** Creates a provider from an adapter. Validates each request before it calls the adapter. */
export function adaptedProvider(
  name: string,
  adapt: (request: Request) => Adapter,
  { newId, clock }: { readonly newId: NewId; readonly clock: Clock },
): Provider {
  return {
    name,
    stream(request, { signal }) {
      validateRequest(request)
      const timestamp = new Date(clock.now()).toISOString()
      const speaker = { id: newId.message(), timestamp, provider: name, model: request.model }
      return new AdapterStream(adapt(request), new Accumulator(speaker, replySizeLimit(request)), signal)
    },
  }
}

/** Opens a `Stream` on any provider's adapter. Owns the adapter's abort signal, the accumulator, `message()` and `close()`. */
export function openStream(adapter: Adapter, speaker: Speaker, signal: AbortSignal): Stream {
  return new AdapterStream(adapter, new Accumulator(speaker), signal)
}

type AdapterStep = IteratorResult<AdapterEvent | readonly AdapterEvent[], Finish>

type State =
  | { readonly at: 'fresh' | 'open' | 'ended' | 'closed' }
  | { readonly at: 'failed'; readonly error: unknown; readonly stopReason: StopReason }

class AdapterStream implements Stream {
  readonly #abort = new AbortController()
  readonly #outside: AbortSignal
  readonly #source: AdapterRun
  readonly #draft: Accumulator
  /** Events received but not yet pulled. */
  #received: Iterator<AdapterEvent> = [].values()
  #ends: StreamEvent[] = []
  #state: State = { at: 'fresh' }
  #pending = false
  #wake: ((reason: unknown) => void) | undefined
  #iterated = false

  constructor(adapter: Adapter, draft: Accumulator, outside: AbortSignal) {
    this.#source = adapter(this.#abort.signal)
    this.#draft = draft
    this.#outside = outside
    outside.addEventListener('abort', this.#onAbort)
  }

  async next(): Promise<IteratorResult<StreamEvent, undefined>> {
    if (this.#pending) throw new PipeError('conflict', 'next() was called while another next() is pending')
    if (this.#state.at === 'failed') throw this.#state.error
    if (this.#state.at === 'closed') return ended
    if (this.#state.at === 'fresh') this.#state = { at: 'open' }
    this.#pending = true
    try {
      for (;;) {
        const event = this.#deliver()
        if (event !== undefined) return { done: false, value: event }
        if (this.#isOver()) return ended
        const step = await this.#pull()
        if (this.#isClosed()) return ended
        this.#take(step)
      }
    } catch (error) {
      if (this.#isClosed()) return ended
      throw this.#fail(error)
    } finally {
      this.#pending = false
    }
  }

  message(): AssistantMessage {
    switch (this.#state.at) {
      case 'fresh':
        throw new PipeError('conflict', 'message() was called before the first next()')
      case 'failed':
        return this.#draft.snapshot(this.#state.stopReason)
      case 'closed':
        return this.#draft.snapshot('aborted')
      default:
        return this.#draft.snapshot('unknown')
    }
  }

  async close(): Promise<void> {
    const over = this.#state.at === 'ended'
    if (this.#state.at !== 'failed') this.#state = { at: 'closed' }
    if (!over) await this.#release()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  [Symbol.asyncIterator](): AsyncIterator<StreamEvent, undefined> {
    if (this.#iterated)
      throw new PipeError('conflict', 'a stream has one consumer; it is being iterated already')
    this.#iterated = true
    return {
      next: () => this.next(),
      return: async () => {
        await this.close()
        return ended
      },
    }
  }

  #take(step: AdapterStep): void {
    if (step.done !== true) {
      this.#received = ('type' in step.value ? [step.value] : joinDeltas(step.value)).values()
      return
    }
    this.#ends = this.#draft.finish(step.value)
    this.#state = { at: 'ended' }
    this.#outside.removeEventListener('abort', this.#onAbort)
  }

  /** Returns the next visible event of those received. */
  #deliver(): StreamEvent | undefined {
    if (this.#outside.aborted && this.#state.at === 'open') throw this.#outside.reason
    for (let step = this.#received.next(); step.done !== true; step = this.#received.next()) {
      const seen = this.#draft.add(step.value)
      if (seen !== undefined) return seen
    }
    return this.#ends.shift()
  }

  /** Pulls one step of the adapter. An abort or close settles it even if the adapter ignores the signal. */
  #pull(): Promise<AdapterStep> {
    return new Promise<AdapterStep>((resolve, reject) => {
      if (this.#outside.aborted) throw this.#outside.reason
      this.#wake = reject
      this.#source.next().then(resolve, reject)
    })
  }

  readonly #onAbort = (): void => {
    this.#abort.abort(this.#outside.reason)
    this.#wake?.(this.#outside.reason)
  }

  #isClosed(): boolean {
    return this.#state.at === 'closed'
  }

  #isOver(): boolean {
    return this.#state.at === 'ended'
  }

  #fail(thrown: unknown): unknown {
    const aborted = this.#outside.aborted
    const error =
      aborted && !isPipeError(thrown) ? new PipeError('aborted', 'interrupted', { cause: thrown }) : thrown
    const stopReason = aborted ? 'aborted' : hasCode(error, 'length') ? 'length' : 'error'
    this.#state = { at: 'failed', error, stopReason }
    this.#outside.removeEventListener('abort', this.#onAbort)
    return error
  }

  /** Aborts first: a bare `return()` would wait for a pending read. */
  async #release(): Promise<void> {
    this.#outside.removeEventListener('abort', this.#onAbort)
    this.#abort.abort()
    this.#wake?.(new PipeError('aborted', 'closed'))
    try {
      await this.#source.return({ stopReason: 'aborted' })
    } catch (error) {
      // The adapter fails as expected on our abort.
      if (!isAbort(error, this.#abort.signal)) throw error
    }
  }
}

function isAbort(error: unknown, signal: AbortSignal): boolean {
  if (error === signal.reason) return true
  return isPipeError(error) ? error.code === 'aborted' : error instanceof Error && error.name === 'AbortError'
}

const ended: IteratorReturnResult<undefined> = { done: true, value: undefined }
