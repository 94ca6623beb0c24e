import type { Engine, Turn } from '../engine.ts'
import { hasCode } from '../error.ts'
import type { AgentEvent } from '../event.ts'
import type { Interaction, InteractionResponse } from '../interaction.ts'
import { ShutdownReason } from '../machine/shutdown-reason.ts'
import type { UserMessage } from '../message.ts'

export interface TaskTurnOptions {
  readonly engine: Engine
  /** Absent if the turn only goes on at an open question. */
  readonly message: UserMessage | undefined
  /** Ends the turn; with `ShutdownReason`, open questions wait for another worker. */
  readonly stop: AbortController
  /** The answer to the task's last question. */
  readonly answer: InteractionResponse | undefined
  /** Called for each event, in order. The turn waits for it. */
  readonly onEvent: (event: AgentEvent) => Promise<void> | void
}

/** The end of a turn; with the question that it left open, if there is one. */
export interface TaskTurn {
  readonly turn: Turn
  readonly question?: Interaction
}

/**
 * Pulls a turn of a task to its end. Leaves it at a question once the calls beside the one that asks have ended. Throws what `onEvent` and
 * `Engine.submit` throw, after the turn is over.
 */
export async function pullTaskTurn(options: TaskTurnOptions): Promise<TaskTurn> {
  const { engine, message, stop, onEvent } = options
  const asking = new Asking(options)
  const events = engine.submit(message, { signal: stop.signal })
  let failure: { readonly error: unknown } | undefined
  for (;;) {
    const step = await events.next()
    if (step.done === true) {
      if (failure !== undefined) throw failure.error
      const { question } = asking
      return { turn: step.value, ...(question === undefined ? {} : { question }) }
    }
    if (failure !== undefined) continue
    try {
      const seen = onEvent(step.value)
      if (seen !== undefined) await seen
      asking.see(step.value)
    } catch (error) {
      failure = { error }
      stop.abort(error)
    }
  }
}

/** Follows the calls of a turn, and leaves it once only questions are left. */
class Asking {
  readonly #options: Pick<TaskTurnOptions, 'engine' | 'stop' | 'answer'>
  readonly #running = new Set<string>()
  readonly #asked = new Map<string, Interaction>()
  #isLeft = false

  constructor(options: Pick<TaskTurnOptions, 'engine' | 'stop' | 'answer'>) {
    this.#options = options
  }

  /** The question at which the turn was left. */
  get question(): Interaction | undefined {
    const [first] = this.#isLeft ? this.#asked.values() : []
    return first
  }

  see(event: AgentEvent): void {
    const { stop, engine } = this.#options
    // An elf asks through the call that has started it.
    if (event.agentId !== engine.id) return
    if (event.type === 'tool_start') this.#running.add(event.callId)
    else if (event.type === 'tool_end') this.#running.delete(event.callId)
    else if (event.type === 'interaction_requested') {
      if (!this.#answer(event.interaction)) this.#asked.set(event.callId ?? '', event.interaction)
    }
    if (this.#asked.size === 0 || stop.signal.aborted) return
    if ([...this.#running].some((id) => !this.#asked.has(id))) return
    this.#isLeft = true
    stop.abort(new ShutdownReason('the question waits for a person'))
  }

  /** Gives the stored answer to the question that it answers. */
  #answer({ id }: Interaction): boolean {
    const { engine, answer } = this.#options
    if (answer?.interactionId !== id) return false
    try {
      engine.send({ type: 'respond', response: answer })
      return true
    } catch (error) {
      // An answer that does not fit is none.
      if (hasCode(error, 'invalid')) return false
      throw error
    }
  }
}
