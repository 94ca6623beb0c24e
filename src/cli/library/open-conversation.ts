import { type OwnedConversation, shareConversation } from '../../agent/share.ts'
import { type Command, type ModelChoice, modelName, type Turn } from '../../engine.ts'
import { PipeError, throwIfAborted } from '../../error.ts'
import type { UserMessage } from '../../message.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { PermissionMode } from '../../permission.ts'
import type { RunOptions, SharedConversation } from '../../shared-conversation.ts'
import { systemClock } from '../clock.ts'
import { readMachine, realFolder } from '../host.ts'
import type { Machine } from '../machine.ts'
import { openChildren } from '../run/child-conversation.ts'
import { createComposer } from '../run/composer.ts'
import type { ForeignParts } from '../wiring/opening.ts'
import { type Wired, wire } from '../wiring/wiring.ts'
import { containChoice } from './foreign/provider.ts'
import { containStore } from './foreign/store.ts'
import { containTools } from './foreign/tools.ts'
import type { ConversationOptions } from './options.ts'
import { requireMode, requireOptions } from './options-shape.ts'
import { readOptions } from './read-options.ts'

/** A conversation with the program's own engine, tools, permissions, session and audit log. */
export interface PipeConversation extends Omit<SharedConversation, 'run'> {
  /** `provider/model` of the next round. */
  readonly model: string
  readonly mode: PermissionMode
  /** Faults that stopped nothing: of settings, of the session, of the sandbox. */
  readonly warnings: readonly string[]
  /**
   * Runs a turn to its end: a message, or a text that `compose` makes one of. As `SharedConversation.run`.
   */
  run(prompt: string | UserMessage, options?: RunOptions): Promise<Turn>
  /**
   * Composes a message as the program does: the first one tells the model about the folder and its instruction files, and `@path`
   * attaches a file. Throws `input` for an empty text, `permission` for a file that the rules hide.
   */
  compose(text: string): UserMessage
  /** Changes the model from the next round on. Throws `usage`, `config`, `auth`, and `conflict` after `close`. */
  setModel(name: string): Promise<void>
  /**
   * Changes the mode from the next call on. Returns a note for the user, such as that the sandbox is missing. Throws `usage`, and
   * `conflict` after `close`.
   */
  setMode(mode: PermissionMode): Promise<string | undefined>
  /**
   * Undoes the file changes of the last turn, or redoes them. Returns a report. Throws `input`, `aborted`, and `conflict` if
   * files have changed since, while a turn runs and after `close`.
   */
  undo(options?: UndoOptions): Promise<string>
}

export interface UndoOptions {
  /** Redoes what was undone. Default: false. */
  readonly redo?: boolean
  /** Even if files have changed since. Default: false. */
  readonly force?: boolean
  readonly signal?: AbortSignal
}

/**
 * Opens conversations from the package in this folder. A conversation reads the user's settings and keys as the program does, and
 * its options override them. Opening throws `usage`, `config`, `auth`, `input`, `conflict`, `sandbox`.
 */
export function conversationOpener(packageFolder: string) {
  return async (options: ConversationOptions = {}): Promise<PipeConversation> => {
    requireOptions(options)
    const { signal = new AbortController().signal } = options
    throwIfAborted(signal)
    const warnings: string[] = []
    const machine = readLibraryMachine(options, warnings, packageFolder)
    const choices = await readOptions(options)
    const wired = await wire({
      machine,
      choices,
      parts: foreignParts(options),
      signal,
      children: openChildren,
    })
    return new OpenedConversation(wired, { machine, options, warnings: [...warnings, ...wired.warnings] })
  }
}

function foreignParts({ store, tools }: ConversationOptions): ForeignParts {
  return omitUndefined({
    store: store && containStore(store),
    tools: tools && containTools(tools, systemClock),
  })
}

function readLibraryMachine(
  { env = process.env, cwd = process.cwd(), folders = [], onWarning }: ConversationOptions,
  warnings: string[],
  packageFolder: string,
): Machine {
  return {
    ...readMachine(env),
    cwd: realFolder(cwd, `cwd ${cwd}`),
    added: folders.map((folder) => realFolder(folder, `folders ${folder}`)),
    warn: (line) => {
      warnings.push(line)
      onWarning?.(line)
    },
    packageFolder: () => packageFolder,
  }
}

function requireText(compose: (text: string) => UserMessage): (text: string) => UserMessage {
  return (text) => {
    if (text.trim() === '') throw new PipeError('input', 'the prompt is empty')
    return compose(text)
  }
}

interface Opened {
  readonly machine: Machine
  readonly options: ConversationOptions
  readonly warnings: readonly string[]
}

class OpenedConversation implements PipeConversation {
  readonly sessionId: SharedConversation['sessionId']
  readonly warnings: readonly string[]
  readonly compose: (text: string) => UserMessage
  readonly #wired: Wired
  readonly #shared: OwnedConversation
  readonly #options: ConversationOptions
  #model: string

  constructor(wired: Wired, { machine, options, warnings }: Opened) {
    const { conversation, sessionId } = wired
    this.sessionId = sessionId
    this.warnings = warnings
    this.compose = requireText(createComposer(wired, [], machine))
    this.#wired = wired
    this.#options = options
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
    if (command.type === 'set_model') this.#choose(containChoice(command.choice, systemClock))
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

  async undo({ redo = false, force = false, signal = new AbortController().signal }: UndoOptions = {}) {
    this.#shared.requireIdle()
    return this.#wired.fileTurns.turnBack({ redo, force, signal })
  }

  close(): Promise<void> {
    return this.#shared.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Adds the handler of all turns. */
  #handled(options: RunOptions): RunOptions {
    const { onQuestion } = this.#options
    return { ...omitUndefined({ onQuestion }), ...options }
  }

  #choose(choice: ModelChoice): void {
    this.#shared.send({ type: 'set_model', choice })
    this.#model = modelName(choice)
  }
}
