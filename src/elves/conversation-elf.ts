import type { Elf, ElfResult } from '../elf.ts'
import type { Command, Engine, Turn } from '../engine.ts'
import { PipeError } from '../error.ts'
import type { AgentEvent } from '../event.ts'
import type { AgentId } from '../id.ts'
import { type Message, textContent, type UserMessage } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { addUsage, noUsage } from '../usage.ts'

/** Makes an elf of an engine and its first message; without one, the engine goes on at the questions of an earlier run. */
export function createElf(
  engine: Engine,
  message: UserMessage | undefined,
  options: { readonly signal: AbortSignal },
): Elf {
  return new ConversationElf(engine, message, options.signal)
}

class ConversationElf implements Elf {
  readonly #engine: Engine
  readonly #message: UserMessage | undefined
  readonly #signal: AbortSignal
  readonly #ended: Promise<ElfResult>
  #settle: (result: ElfResult) => void = () => undefined
  #fail: (error: unknown) => void = () => undefined
  #isPulled = false
  #isOver = false
  /** Interrupts the turn, also before the engine knows of it. */
  #stop = new AbortController()

  constructor(engine: Engine, message: UserMessage | undefined, signal: AbortSignal) {
    this.#engine = engine
    this.#message = message
    this.#signal = signal
    this.#ended = new Promise((resolve, reject) => {
      this.#settle = resolve
      this.#fail = reject
    })
    // The caller that pulls the events gets the failure too.
    this.#ended.catch(() => undefined)
  }

  get id(): AgentId {
    return this.#engine.id
  }

  get isOver(): boolean {
    return this.#isOver
  }

  send(command: Command): void {
    if (command.type === 'interrupt') this.#stop.abort()
    else this.#engine.send(command)
  }

  events(): AsyncGenerator<AgentEvent, ElfResult, undefined> {
    if (this.#isPulled) throw new PipeError('conflict', `elf ${this.id} is pulled already`)
    this.#isPulled = true
    return this.#events()
  }

  async wait(): Promise<ElfResult> {
    if (!this.#isPulled) {
      const events = this.events()
      while ((await events.next()).done !== true);
    }
    return this.#ended
  }

  /** Runs the turn, and those of messages that came too late for it. */
  async *#events(): AsyncGenerator<AgentEvent, ElfResult, undefined> {
    let result: ElfResult = { text: '', stopReason: 'aborted', rounds: 0, usage: noUsage }
    try {
      let next = this.#message
      do {
        const signal = AbortSignal.any([this.#signal, this.#stop.signal])
        const turn = yield* this.#engine.submit(next, { signal })
        this.#stop = new AbortController()
        result = joined(result, turn)
        next = turn.late
      } while (next !== undefined)
      return result
    } catch (error) {
      this.#fail(error)
      throw error
    } finally {
      this.#isOver = true
      this.#settle(result)
    }
  }
}

function joined(before: ElfResult, turn: Turn): ElfResult {
  const { stopReason, rounds, usage, costUsd, error } = turn
  const cost = costUsd === undefined ? before.costUsd : (before.costUsd ?? 0) + costUsd
  return {
    text: lastText(turn.messages) ?? before.text,
    stopReason,
    rounds: before.rounds + rounds,
    usage: addUsage(before.usage, usage),
    ...omitUndefined({ costUsd: cost, error }),
  }
}

function lastText(messages: readonly Message[]): string | undefined {
  const texts = messages.flatMap((message) => (message.type === 'assistant' ? [textContent(message)] : []))
  return texts.findLast((text) => text.trim() !== '')
}
