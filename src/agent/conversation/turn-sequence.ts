import type { AnswerQuestion, RunOptions } from '../../conversation.ts'
import type { Turn } from '../../engine.ts'
import { PipeError } from '../../error.ts'
import type { AgentEvent } from '../../event.ts'
import type { MessageId } from '../../id.ts'
import type { UserMessage } from '../../message.ts'
import { type PromptHooks, PromptRefused } from '../../turn-hooks.ts'
import { type Drive, TurnDriver, type TurnDriverOptions } from './turn-driver.ts'

export interface TurnSequenceOptions extends Omit<TurnDriverOptions, 'onLate'> {
  /** Judges messages of the user. Default: all of them are sent. */
  readonly hooks: PromptHooks | undefined
  /** Ends the running turn, and lets none begin. */
  readonly closing: AbortSignal
  /** Called for the end of each turn. */
  readonly onEnd: (turn: Turn) => void
  /** Called when nothing runs any more. `isDone`: the last turn was neither interrupted, nor did it fail. */
  readonly onFree: (isDone: boolean) => void
  /** Called for a turn that threw, such as for an invalid message. */
  readonly onFailure: (error: unknown) => void
}

interface NewDrive extends Drive {
  /** Nobody has judged its message yet. */
  readonly isNew?: true
}

/** Runs the turns of a conversation one at a time. */
export class TurnSequence {
  readonly #options: TurnSequenceOptions
  readonly #driver: TurnDriver
  /** Of the running turn, and of those that are to begin. */
  readonly #controllers = new Set<AbortController>()
  /** Called once the session has the message. */
  readonly #saved = new Map<MessageId, () => void>()
  /** A turn whose caller waits for its end. */
  #run: Promise<Turn> | undefined
  /** Something is done during which no turn begins. */
  #isHeld = false
  /** A turn that nobody waits for. */
  #auto: Promise<Turn> | undefined
  /** Settles once the turn is over that was interrupted, or whose end was told while it still saves its files. */
  #ending: Promise<void> | undefined
  #over: (() => void) | undefined
  /** Of the turn that is driven now. */
  #current: AbortController | undefined

  constructor(options: TurnSequenceOptions) {
    this.#options = options
    this.#driver = new TurnDriver({
      ...options,
      onEvent: (event) => this.#see(event),
      onLate: options.onEnd,
    })
  }

  /** Whether a turn runs or is about to. */
  get isRunning(): boolean {
    return this.isRun || this.#auto !== undefined || this.#isHeld
  }

  /** Whether a turn runs whose caller waits for its end. */
  get isRun(): boolean {
    return this.#run !== undefined
  }

  /** Whether messages of the user are judged before they are sent. */
  get judges(): boolean {
    return this.#options.hooks !== undefined
  }

  /** Returns a message as it may be sent. Throws `permission` if it is refused, and `aborted` after an interrupt or the end. */
  async judge<M extends UserMessage | undefined>(
    message: M,
    { signal }: AbortController,
  ): Promise<M | UserMessage> {
    const { hooks, closing } = this.#options
    if (hooks === undefined || message === undefined) return message
    return hooks.admit(message, { signal: AbortSignal.any([signal, closing]) })
  }

  /** Waits while a turn that has ended for those who watch still saves its files. Whoever saw that end expects to begin the next one. */
  async untilSaved(): Promise<void> {
    while (this.#ending !== undefined) await this.#ending
  }

  /** Makes a signal for a turn that is to begin, which an interrupt fires too. Call `forget` if it does not begin. */
  prepare(): AbortController {
    const controller = new AbortController()
    this.#controllers.add(controller)
    return controller
  }

  forget(controller: AbortController): void {
    this.#controllers.delete(controller)
  }

  /** Interrupts the running turn, and those that are to begin. They end with the reason, if it is a `PipeError`. */
  interrupt(reason?: unknown): void {
    for (const controller of this.#controllers) controller.abort(reason)
    if (this.isRunning) this.#end()
  }

  /** Runs a turn after the one that nobody waits for. Throws `conflict` while another run lasts. */
  async run(message: UserMessage | undefined, { signal, ...handlers }: RunOptions): Promise<Turn> {
    if (this.#run !== undefined) throw new PipeError('conflict', 'a turn is already running')
    const controller = this.prepare()
    const stop = () => controller.abort(signal?.reason)
    if (signal?.aborted === true) stop()
    signal?.addEventListener('abort', stop, { once: true })
    const run = this.#after(this.#auto, { message, controller, ...handlers })
    this.#run = run
    try {
      return await run
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  /** Begins a turn that nobody waits for. Resolves with it once it is over. Call it while nothing runs. */
  begin(
    message: UserMessage | undefined,
    onQuestion: AnswerQuestion | undefined,
    controller = this.prepare(),
  ): Promise<Turn> {
    const turn = this.#drive({ message, controller, onQuestion }, () => {
      this.#auto = undefined
    })
    this.#auto = turn
    // Those who watch are told of its failure.
    turn.catch(() => undefined)
    return turn
  }

  /** Begins a turn with a message. Resolves once the session has it; throws the reason why it has not. */
  async beginSaved(
    message: UserMessage,
    onQuestion: AnswerQuestion | undefined,
    controller: AbortController,
  ): Promise<void> {
    const saved = new Promise<void>((resolve) => this.#saved.set(message.id, resolve))
    try {
      await Promise.race([saved, this.begin(message, onQuestion, controller).then(requireSaved(message))])
    } finally {
      this.#saved.delete(message.id)
    }
  }

  /** Does something during which no turn begins. Call it while nothing runs. */
  async alone<T>(act: () => Promise<T>): Promise<T> {
    this.#isHeld = true
    this.#end()
    try {
      return await act()
    } finally {
      this.#isHeld = false
      this.#goOn(true)
    }
  }

  /** Lets the next turn begin, if nothing runs. */
  free(): void {
    if (!this.isRunning) this.#options.onFree(true)
  }

  /** Waits for the end of what runs. */
  async settle(): Promise<void> {
    await Promise.allSettled([this.#run, this.#auto])
  }

  async #after(before: Promise<Turn> | undefined, drive: Drive): Promise<Turn> {
    await before?.catch(() => undefined)
    return this.#drive({ ...drive, isNew: true }, () => {
      this.#run = undefined
    })
  }

  async #drive(drive: NewDrive, free: () => void): Promise<Turn> {
    const { closing, onEnd, onFailure } = this.#options
    const { controller } = drive
    const close = () => controller.abort(closing.reason)
    if (closing.aborted) close()
    closing.addEventListener('abort', close, { once: true })
    this.#current = controller
    const over = () => {
      closing.removeEventListener('abort', close)
      this.#controllers.delete(controller)
      this.#current = undefined
      free()
      // Before its end is told, which stands behind the events that are kept.
      if (!this.isRunning) this.#options.log.forgetTurn()
    }
    try {
      const message =
        drive.isNew === true && this.judges ? await this.judge(drive.message, controller) : drive.message
      const turn = await this.#driver.drive({ ...drive, message })
      over()
      onEnd(turn)
      // An interrupt that came too late to end the turn still ends what would go on by itself.
      this.#goOn(turn.error === undefined && turn.stopReason !== 'aborted' && !controller.signal.aborted)
      return turn
    } catch (error) {
      over()
      if (!(error instanceof PromptRefused)) onFailure(error)
      this.#goOn(false)
      throw error
    }
  }

  /** Lets the next turn begin. It has begun when those hear of it who wait for the end of the last one. */
  #goOn(isDone: boolean): void {
    if (!this.isRunning) this.#options.onFree(isDone)
    this.#over?.()
  }

  #see(event: AgentEvent): void {
    if (event.type === 'turn_start') {
      if (this.#current?.signal.aborted !== true) this.#over?.()
      if (event.message !== undefined) this.#saved.get(event.message.id)?.()
    } else if (event.type === 'turn_end') this.#end()
    this.#options.onEvent(event)
  }

  #end(): void {
    this.#ending ??= new Promise((resolve) => {
      this.#over = () => {
        this.#ending = undefined
        this.#over = undefined
        resolve()
      }
    })
  }
}

function requireSaved({ id }: UserMessage): (turn: Turn) => void {
  return ({ messages, error }) => {
    if (messages.some((message) => message.id === id)) return
    throw error ?? new PipeError('conflict', 'the conversation was closed before the message was saved')
  }
}
