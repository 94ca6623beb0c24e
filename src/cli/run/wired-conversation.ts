import type { Driver } from '../../agent/conversation/driver.ts'
import type { SchemaDemand } from '../../answers/schema-demand.ts'
import type { AnswerQuestion, Conversation, RunOptions, WatchOptions } from '../../conversation.ts'
import { type Command, type ModelChoice, modelName, type Turn } from '../../engine.ts'
import { PipeError } from '../../error.ts'
import type { UndoRequest } from '../../frontend/conversation-view.ts'
import { textContent, type UserMessage } from '../../message.ts'
import type { PermissionMode } from '../../permission.ts'
import type { AnsweredTurn } from '../library/answered-turn.ts'
import { requireEngineCommand } from '../library/command-shape.ts'
import type { Machine } from '../machine.ts'
import type { Wired } from '../wiring/wired.ts'
import { driveWired } from './driven.ts'
import { createComposer } from './message/message-composer.ts'
import { spokenPrompt } from './message/own-commands.ts'
import { prepareMessage } from './message/prepare-message.ts'
import { withModelNote } from './message/run-prompt.ts'

export interface WiredOptions {
  readonly machine: Machine
  readonly warnings: readonly string[]
  /** Answers the questions of all turns that bring no handler. Default: only those who send `respond` answer. */
  readonly onQuestion?: AnswerQuestion | undefined
  /** Guards against the provider of a model that a caller gives. Default: none is foreign. */
  readonly contain?: ((choice: ModelChoice) => ModelChoice) | undefined
  /** The demand of the schema that answers must fit, one of those of the conversation. Default: any text will do. */
  readonly schema?: SchemaDemand | undefined
}

/** A wired conversation as the library offers it. */
export class WiredConversation {
  readonly sessionId: Driver['sessionId']
  readonly warnings: readonly string[]
  readonly compose: (text: string) => UserMessage
  readonly #wired: Wired
  readonly #driver: Driver
  readonly #contain: (choice: ModelChoice) => ModelChoice
  readonly #schema: SchemaDemand | undefined
  /** The model of a caller, which has no name that could be opened. */
  #foreignModel: string | undefined

  constructor(wired: Wired, options: WiredOptions) {
    const { machine, warnings, onQuestion, contain = (choice) => choice, schema } = options
    const compose = textComposer(wired, machine)
    this.sessionId = wired.sessionId
    this.warnings = warnings
    this.compose = (text) => withModelNote(compose(text), schema?.instruction)
    this.#wired = wired
    this.#contain = contain
    this.#schema = schema
    this.#driver = driveWired(wired, {
      machine,
      onQuestion,
      contain: (choice) => {
        this.#foreignModel = undefined
        return contain(choice)
      },
    })
  }

  get port(): Conversation {
    return this.#driver
  }

  get model() {
    return this.#foreignModel ?? this.#wired.model()
  }

  get mode() {
    return this.#wired.policy.mode
  }

  get state() {
    return this.#driver.state
  }

  get messages() {
    return this.#driver.messages
  }

  get canResume() {
    return this.#driver.canResume
  }

  get usage() {
    return this.#driver.usage
  }

  get costUsd() {
    return this.#driver.costUsd
  }

  get unsaved() {
    return this.#driver.unsaved
  }

  contextUse() {
    return this.#driver.contextUse()
  }

  async run(prompt: string | UserMessage, options: RunOptions = {}): Promise<AnsweredTurn> {
    // A refused turn must not use up what only the next message tells the model.
    this.#driver.requireFree()
    this.#schema?.begin()
    if (typeof prompt !== 'string') return this.#answered(this.#driver.run(prompt, options))
    const { signal = new AbortController().signal } = options
    // Only where there is something to read, so that the turn begins at once elsewhere.
    const preparing = prepareMessage(prompt, this.#wired, signal)
    if (preparing !== undefined) {
      await preparing
      this.#driver.requireFree()
    }
    return this.#answered(this.#driver.run(this.compose(prompt), options))
  }

  resume(options: RunOptions = {}): Promise<AnsweredTurn> {
    this.#schema?.begin()
    return this.#answered(this.#driver.resume(options))
  }

  /** Adds the JSON of an answer that fits its schema. */
  async #answered(running: Promise<Turn>): Promise<AnsweredTurn> {
    const turn = await running
    if (this.#schema === undefined || turn.error !== undefined || turn.stopReason !== 'end_turn') return turn
    const reply = turn.messages.findLast(({ type }) => type === 'assistant')
    const { readAnswerJson } = await import('../../answers/answer-json.ts')
    const json = reply && readAnswerJson(textContent(reply))
    return typeof json === 'object' ? { ...turn, structuredOutput: json.value } : turn
  }

  send(command: Command): void {
    requireEngineCommand(command)
    if (command.type === 'set_model') {
      const choice = this.#contain(command.choice)
      this.#driver.command({ type: 'set_model', choice })
      this.#foreignModel = modelName(choice)
    } else this.#driver.command(command)
  }

  watch(options?: WatchOptions) {
    return this.#driver.watch(options)
  }

  async setModel(name: string): Promise<void> {
    await this.#driver.setModel(name)
  }

  setMode(mode: PermissionMode): Promise<string | undefined> {
    return this.#driver.setMode(mode)
  }

  async undo({
    redo = false,
    force = false,
    signal = new AbortController().signal,
  }: Partial<UndoRequest> = {}) {
    return this.#driver.alone(() => this.#wired.fileTurns.turnBack({ redo, force, signal }))
  }

  close(): Promise<void> {
    return this.#driver.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** Composes messages of texts that are not empty. A command is called by its name here too. */
export function textComposer(wired: Wired, machine: Machine): (text: string) => UserMessage {
  const compose = createComposer(wired, [], machine)
  return (text) => {
    if (text.trim() === '') throw new PipeError('input', 'the prompt is empty')
    return compose(spokenPrompt(text, wired, machine))
  }
}
