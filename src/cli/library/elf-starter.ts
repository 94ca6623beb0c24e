import { Questions } from '../../agent/conversation/questions.ts'
import type { AnswerQuestion } from '../../conversation.ts'
import type { Elf, ElfResult } from '../../elf.ts'
import { createElf } from '../../elves/conversation-elf.ts'
import type { Command, Engine } from '../../engine.ts'
import { throwIfAborted } from '../../error.ts'
import type { AgentEvent } from '../../event.ts'
import type { AgentId, SessionId } from '../../id.ts'
import type { UserMessage } from '../../message.ts'
import { textComposer } from '../run/wired-conversation.ts'
import { systemClock } from '../system-clock.ts'
import type { Wired } from '../wiring/wired.ts'
import { wire } from '../wiring/wiring.ts'
import { containChoice } from './foreign/foreign-provider.ts'
import { foreignParts, readLibraryMachine } from './library-machine.ts'
import type { ConversationOptions } from './library-options.ts'
import { requireOptions } from './options-shape.ts'
import { openSchema, readOptions } from './read-options.ts'

/** An elf with an engine, history, model, session and audit log of its own. Its end closes all of them. */
export interface StartedElf extends Elf, AsyncDisposable {
  /** Its engine: history, usage and cost. Only the elf submits to it. */
  readonly engine: Pick<Engine, 'id' | 'state' | 'history' | 'usage' | 'costUsd' | 'contextUse'>
  /** Absent if nothing is saved. */
  readonly sessionId: SessionId | undefined
  /** `provider/model`. */
  readonly model: string
  /** Faults that stopped nothing. */
  readonly warnings: readonly string[]
  /** Interrupts it if it works, and closes what it has open. Needed for an elf that was neither pulled nor awaited. */
  close(): Promise<void>
}

/** Returns what starts elves from the package in this folder. Throws as `openConversation`, and `input` for an empty prompt. */
export function elfStarter(packageFolder: string) {
  return async (prompt: string | UserMessage, options: ConversationOptions = {}): Promise<StartedElf> => {
    requireOptions(options)
    const { signal = new AbortController().signal, onQuestion } = options
    throwIfAborted(signal)
    const warnings: string[] = []
    const machine = readLibraryMachine(options, warnings, () => packageFolder)
    const choices = { ...(await readOptions(options, await openSchema(options))), interactive: false }
    const wired = await wire({ machine, choices, parts: foreignParts(options), signal })
    try {
      const message = typeof prompt === 'string' ? textComposer(wired, machine)(prompt) : prompt
      const elf = createElf(wired.conversation.engine, message, { signal })
      return new WiredElf(elf, wired, { warnings: [...warnings, ...wired.warnings], onQuestion })
    } catch (error) {
      await wired.close()
      throw error
    }
  }
}

interface WiredElfOptions {
  readonly warnings: readonly string[]
  readonly onQuestion: AnswerQuestion | undefined
}

class WiredElf implements StartedElf {
  readonly engine: StartedElf['engine']
  readonly sessionId: SessionId | undefined
  readonly model: string
  readonly warnings: readonly string[]
  readonly #elf: Elf
  readonly #wired: Wired
  readonly #onQuestion: AnswerQuestion | undefined
  #events: AsyncGenerator<AgentEvent, ElfResult, undefined> | undefined
  #closed: Promise<void> | undefined

  constructor(elf: Elf, wired: Wired, { warnings, onQuestion }: WiredElfOptions) {
    this.engine = wired.conversation.engine
    this.sessionId = wired.sessionId
    this.model = wired.model()
    this.warnings = warnings
    this.#elf = elf
    this.#wired = wired
    this.#onQuestion = onQuestion
  }

  get id(): AgentId {
    return this.#elf.id
  }

  get isOver(): boolean {
    return this.#elf.isOver
  }

  send(command: Command): void {
    const isModel = command.type === 'set_model'
    this.#elf.send(isModel ? { ...command, choice: containChoice(command.choice, systemClock) } : command)
  }

  events(): AsyncGenerator<AgentEvent, ElfResult, undefined> {
    this.#events = this.#relay(this.#elf.events())
    return this.#events
  }

  async wait(): Promise<ElfResult> {
    if (this.#events !== undefined) return this.#elf.wait()
    const events = this.events()
    for (;;) {
      const step = await events.next()
      if (step.done === true) return step.value
    }
  }

  async close(): Promise<void> {
    this.#elf.send({ type: 'interrupt' })
    // A failure of the events goes to their reader.
    await Promise.allSettled([this.#events?.return(this.#interrupted())])
    await this.#end()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async *#relay(
    events: AsyncGenerator<AgentEvent, ElfResult, undefined>,
  ): AsyncGenerator<AgentEvent, ElfResult, undefined> {
    const questions = this.#questions()
    try {
      for (;;) {
        const step = await events.next()
        if (step.done === true) {
          if (questions?.failure !== undefined) throw questions.failure.error
          return step.value
        }
        questions?.see(step.value)
        yield step.value
      }
    } finally {
      questions?.close()
      this.#elf.send({ type: 'interrupt' })
      await events.return(this.#interrupted())
      await this.#end()
    }
  }

  #questions(): Questions | undefined {
    const answer = this.#onQuestion
    if (answer === undefined) return undefined
    return new Questions({
      answer,
      respond: (response) => this.#elf.send({ type: 'respond', response }),
      interrupt: () => this.#elf.send({ type: 'interrupt' }),
    })
  }

  #interrupted(): ElfResult {
    return { text: '', stopReason: 'aborted', rounds: 0, usage: this.engine.usage }
  }

  #end(): Promise<void> {
    this.#closed ??= this.#wired.close()
    return this.#closed
  }
}
