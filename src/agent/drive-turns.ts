import type { ElvesAtWork } from '../elf.ts'
import type { Engine, Turn } from '../engine.ts'
import { isPipeError } from '../error.ts'
import type { AgentEvent } from '../event.ts'
import type { Interaction } from '../interaction.ts'
import type { UserMessage } from '../message.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { driveTurn, type TurnHandlers } from './drive-turn.ts'
import { ElfReports } from './elf-reports.ts'
import { followElves } from './follow-elves.ts'
import { linkAbort } from './linked-abort.ts'

export interface TurnsHandlers extends TurnHandlers {
  /** The elves of the conversation. Default: it has none. */
  readonly elves?: ElvesAtWork | undefined
}

/**
 * Runs a turn, and those that the results of elves in the background begin, until none is at work. Returns the last turn. A turn that fails
 * is the last. Throws as `driveTurn`.
 */
export async function driveTurns(
  engine: Engine,
  message: UserMessage | undefined,
  { elves, ...handlers }: TurnsHandlers,
): Promise<Turn> {
  if (elves === undefined) return driveTurn(engine, message, handlers)
  const run = new Run(engine, elves, handlers)
  try {
    return await run.drive(message)
  } finally {
    await run.close()
  }
}

class Run {
  readonly #engine: Engine
  readonly #elves: ElvesAtWork
  readonly #handlers: TurnHandlers
  readonly #reports: ElfReports
  readonly #over: ReturnType<typeof linkAbort>
  readonly #following: Promise<void>
  #failure: { readonly error: unknown } | undefined
  /** Called after each piece of news. */
  #wake: (() => void) | undefined

  constructor(engine: Engine, elves: ElvesAtWork, handlers: TurnHandlers) {
    this.#engine = engine
    this.#elves = elves
    this.#handlers = handlers
    this.#reports = new ElfReports(engine)
    this.#over = linkAbort(handlers.signal)
    this.#following = this.#follow()
  }

  async drive(message: UserMessage | undefined): Promise<Turn> {
    let next = message
    for (;;) {
      const turn = await this.#reports.during(() => driveTurn(this.#engine, next, this.#handlers))
      if (this.#failure !== undefined) throw this.#failure.error
      const { signal } = this.#handlers
      if (turn.error !== undefined || signal.aborted) return turn
      next = turn.late ?? (await this.#report())
      if (signal.aborted) return ended(turn, signal)
      if (next === undefined) return turn
    }
  }

  async close(): Promise<void> {
    this.#over.controller.abort()
    this.#over.unlink()
    await this.#following
  }

  /** Waits for results while an elf is at work. */
  async #report(): Promise<UserMessage | undefined> {
    const { signal } = this.#over.controller
    while (!this.#reports.isFilled && this.#elves.isBusy && !signal.aborted) {
      if (this.#failure !== undefined) throw this.#failure.error
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    return this.#reports.take()
  }

  /** Never rejects: a failure interrupts the run. */
  async #follow(): Promise<void> {
    const { signal } = this.#over.controller
    const woken = <Args extends readonly unknown[], R>(act: (...args: Args) => R) => {
      return (...args: Args) => {
        const result = act(...args)
        this.#wake?.()
        return result
      }
    }
    try {
      await followElves(this.#elves, {
        signal,
        onEvent: woken((event) => this.#show(event)),
        onQuestion: woken((question) => void this.#ask(question)),
        onReport: woken((report) => this.#reports.deliver(report)),
      })
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#wake?.()
    }
  }

  #show(event: AgentEvent): Promise<void> | void {
    const { onEvent, onElfEvent } = this.#handlers
    return event.agentId === this.#engine.id ? onEvent(event) : onElfEvent?.(event)
  }

  async #ask(question: Interaction): Promise<void> {
    try {
      const response = await this.#handlers.onQuestion?.(question)
      if (response !== undefined && !this.#over.controller.signal.aborted) this.#elves.respond(response)
    } catch (error) {
      // The elf was stopped meanwhile.
      if (!isPipeError(error) || error.code !== 'not_found') this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
    this.#engine.send({ type: 'interrupt' })
    this.#wake?.()
  }
}

/** A turn whose elves were still at work when the run ended. */
function ended(turn: Turn, { reason }: AbortSignal): Turn {
  return {
    ...turn,
    stopReason: 'aborted',
    ...omitUndefined({ error: isPipeError(reason) ? reason : undefined }),
  }
}
