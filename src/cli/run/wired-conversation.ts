import type { OwnedConversation } from '../../agent/owned-conversation.ts'
import { shareConversation } from '../../agent/share.ts'
import { type Command, type ModelChoice, modelName, type Turn } from '../../engine.ts'
import { PipeError } from '../../error.ts'
import type { UndoOptions } from '../../frontend/conversation-view.ts'
import type { UserMessage } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { type PermissionMode, requireMode } from '../../permission.ts'
import type { AnswerQuestion, RunOptions, SharedConversation } from '../../shared-conversation.ts'
import type { Machine } from '../machine.ts'
import type { Wired } from '../wiring/wiring.ts'
import { createComposer } from './message/composer.ts'

export interface WiredOptions {
  readonly machine: Machine
  readonly warnings: readonly string[]
  /** Answers the questions of all turns that bring no handler. Default: only those who send `respond` answer. */
  readonly onQuestion?: AnswerQuestion
  /** Guards against the provider of a model that a caller gives. Default: none is foreign. */
  readonly contain?: (choice: ModelChoice) => ModelChoice
}

/** A wired conversation in the hands of one owner, with any number of watchers. */
export class WiredConversation implements Omit<SharedConversation, 'run'> {
  readonly sessionId: SharedConversation['sessionId']
  readonly warnings: readonly string[]
  readonly compose: (text: string) => UserMessage
  readonly #wired: Wired
  readonly #shared: OwnedConversation
  readonly #onQuestion: AnswerQuestion | undefined
  readonly #contain: (choice: ModelChoice) => ModelChoice
  #model: string

  constructor(wired: Wired, { machine, warnings, onQuestion, contain = (choice) => choice }: WiredOptions) {
    const { conversation, sessionId } = wired
    this.sessionId = sessionId
    this.warnings = warnings
    this.compose = requireText(createComposer(wired, [], machine))
    this.#wired = wired
    this.#onQuestion = onQuestion
    this.#contain = contain
    this.#model = wired.model
    this.#shared = shareConversation(
      { engine: conversation.engine, close: () => wired.close() },
      { sessionId, elves: wired.elves },
    )
  }

  get model() {
    return this.#model
  }

  get mode() {
    return this.#wired.policy.mode
  }

  get agent() {
    return this.#wired.agent
  }

  get state() {
    return this.#shared.state
  }

  get messages() {
    return this.#shared.messages
  }

  get canResume() {
    return this.#shared.canResume
  }

  get usage() {
    return this.#shared.usage
  }

  get costUsd() {
    return this.#shared.costUsd
  }

  get unsaved() {
    return this.#shared.unsaved
  }

  contextUse() {
    return this.#shared.contextUse()
  }

  async run(prompt: string | UserMessage, options: RunOptions = {}): Promise<Turn> {
    // A refused turn must not use up what only the next message tells the model.
    this.#shared.requireFree()
    const message = typeof prompt === 'string' ? this.compose(prompt) : prompt
    return this.#shared.run(message, this.#handled(options))
  }

  resume(options: RunOptions = {}): Promise<Turn> {
    return this.#shared.resume(this.#handled(options))
  }

  send(command: Command): void {
    if (command.type === 'set_model') this.#choose(this.#contain(command.choice))
    else this.#shared.send(command)
  }

  watch(options?: Parameters<SharedConversation['watch']>[0]) {
    return this.#shared.watch(options)
  }

  async setModel(name: string): Promise<void> {
    this.#shared.requireOpen()
    this.#choose(await this.#wired.openModel(name))
  }

  async setMode(mode: PermissionMode): Promise<string | undefined> {
    this.#shared.requireOpen()
    requireMode(mode)
    this.#wired.policy.mode = mode
    return this.#wired.noteOfMode(mode)
  }

  async undo({
    redo = false,
    force = false,
    signal = new AbortController().signal,
  }: Partial<UndoOptions> = {}) {
    this.#shared.requireIdle()
    return this.#wired.fileTurns.turnBack({ redo, force, signal })
  }

  /** Stops an elf by its name. Returns false if it is not at work. */
  stopElf(name: string): boolean {
    return this.#wired.elves?.stop(name) ?? false
  }

  close(): Promise<void> {
    return this.#shared.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Adds the handler of all turns. */
  #handled(options: RunOptions): RunOptions {
    return { ...omitUndefined({ onQuestion: this.#onQuestion }), ...options }
  }

  #choose(choice: ModelChoice): void {
    this.#shared.send({ type: 'set_model', choice })
    this.#model = modelName(choice)
  }
}

function requireText(compose: (text: string) => UserMessage): (text: string) => UserMessage {
  return (text) => {
    if (text.trim() === '') throw new PipeError('input', 'the prompt is empty')
    return compose(text)
  }
}
